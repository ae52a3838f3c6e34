"""Writes the Iceberg table of the benchmark by pyiceberg: `ns.events`, five columns, one file per million rows.

Usage: bench_table.py FOLDER ROWS
"""

import sys
import warnings

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog.sql import SqlCatalog

warnings.filterwarnings("ignore")
PART = 1_000_000


def part(first, count):
    def below(limit):
        return pc.cast(pc.multiply(pc.random(count), limit), pa.int64(), safe=False)

    return pa.table(
        {
            "id": pa.array(range(first, first + count), pa.int64()),
            "a": pc.random(count),
            "b": pc.random(count),
            "c": below(1000),
            "name": pa.array(["alpha", "beta", "gamma", "delta"]).take(below(4)),
        }
    )


def main(folder, rows):
    catalog = SqlCatalog("svc", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("ns")
    table = catalog.create_table("ns.events", part(0, 1).schema, properties={"write.parquet.row-group-limit": "131072"})
    for first in range(0, int(rows), PART):
        table.append(part(first, min(PART, int(rows) - first)))
    print("{}")


main(*sys.argv[1:])
