"""Charts as plain geometry: what the page's macros draw as SVG that stretches to any width, with its labels as HTML
beside it, so that text keeps its size on a phone. Positions are per cent of the plot's width and height, from the top
left. Every chart has a `title`, an `alt` sentence and its numbers as a `table`."""

from selfplay.report.charts.bars import bars
from selfplay.report.charts.dumbbells import dumbbells
from selfplay.report.charts.heat import heat
from selfplay.report.charts.lines import lines
from selfplay.report.charts.stacks import stacks

__all__ = ["bars", "dumbbells", "heat", "lines", "stacks"]
