"""Rows into one Parquet file, a batch at a time: zstd, one row group a batch."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from selfplay.errors import UserError
from selfplay.export.tables import Table
from selfplay.store.streams import Row

BATCH = 4096


def write(path: Path, table: Table, rows: Iterable[Row]) -> int:
    """How many rows were written; no file when there are none. Columns of the rows that the table does not name are
    dropped. A lone surrogate, which Parquet cannot hold, becomes its escape (`\\ud800`), as in the run's database.

    UserError: pyarrow is not installed.
    """
    arrow, parquet = _libraries()
    schema = arrow.schema([(name, _type(arrow, column.type)) for name, column in table.columns.items()])
    rows, count, writer = iter(rows), 0, None
    try:
        while batch := list(islice(rows, BATCH)):
            columns = [[_held(row[name]) for row in batch] for name in table.columns]
            made = arrow.table([arrow.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)
            writer = writer or parquet.ParquetWriter(path, schema, compression="zstd")
            writer.write_table(made)
            count += len(batch)
    finally:
        if writer is not None:
            writer.close()
    return count


def _libraries() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise UserError(
            "Tables are written by pyarrow, which is not installed: `pip install datasets` brings it, or `make setup` "
            "everything."
        ) from error
    return pyarrow, pyarrow.parquet


def _type(arrow: Any, name: str) -> Any:
    text = arrow.string()
    return {
        "text": text,
        "json": text,
        "int": arrow.int64(),
        "float": arrow.float64(),
        "bool": arrow.bool_(),
        "texts": arrow.list_(text),
        "floats": arrow.list_(arrow.float64()),
        "chat": arrow.list_(arrow.struct([("role", text), ("content", text)])),
    }[name]


def _held(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_held(item) for item in value]
    return value
