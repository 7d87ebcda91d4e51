"""A run as one HTML page that needs nothing else: no network, no script, no font of its own."""

from __future__ import annotations

from pathlib import Path


def write(folder: Path, out: Path | None = None) -> Path:
    """Makes the report of the run in `folder` and returns its path, `folder/report.html` unless told. The old one is
    there until the new one is whole. UserError: no run, one that cannot be read, or no place to write to."""
    from selfplay.report.gather import data

    return write_page(data(folder), out or folder / "report.html")


def write_page(found: dict, out: Path) -> Path:
    """The same, of what `gather.data` found."""
    from selfplay.errors import UserError
    from selfplay.report.page import page
    from selfplay.store.folder import write_atomically

    text = page(found)
    try:
        write_atomically(out, text)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(
            f"The report cannot be written to {out} ({why}); say another place with `--out FILE`."
        ) from error
    return out
