"""Reads an Arrow stream or a Parquet file with pyarrow or polars, and prints its types and every cell as text.

Usage: read_back.py pyarrow|polars arrow|parquet FILE
First line: the columns with their types. Second line: rows, and the SHA-256 of all rows as text, in their order.
"""
import datetime
import decimal
import hashlib
import sys

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def cell(value):
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        # An instant without a zone would be a wall clock of nowhere.
        assert value.utcoffset() == datetime.timedelta(0), value
        return str((value - EPOCH) // datetime.timedelta(microseconds=1))
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, bytes):
        return value.hex()
    return str(value)


def with_pyarrow(kind, file):
    import pyarrow as pa
    import pyarrow.parquet as pq

    if kind == "parquet":
        table = pq.read_table(file)
    else:
        with pa.OSFile(file) as source:
            table = pa.ipc.open_stream(source).read_all()
    table.validate(full=True)
    columns = [(field.name, str(field.type)) for field in table.schema]
    return columns, zip(*[column.to_pylist() for column in table.columns])


def with_polars(kind, file):
    import polars as pl

    frame = pl.read_parquet(file) if kind == "parquet" else pl.read_ipc_stream(file)
    return [(name, str(kind)) for name, kind in frame.schema.items()], frame.iter_rows()


library, kind, file = sys.argv[1:]
columns, rows = (with_pyarrow if library == "pyarrow" else with_polars)(kind, file)
print("; ".join(f"{name} {kind}" for name, kind in columns))
digest = hashlib.sha256()
count = 0
for row in rows:
    digest.update("|".join(map(cell, row)).encode() + b"\n")
    count += 1
print(count, digest.hexdigest())
