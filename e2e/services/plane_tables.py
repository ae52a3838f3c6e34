"""Writes the Iceberg tables of the data plane's tests by pyiceberg.

Usage: plane_tables.py FOLDER. One line of JSON: the snapshots of `ns.orders`, oldest first; `append` adds a snapshot,
`large` a table with 300,000 rows: plane_tables.py FOLDER append.
"""

import json
import sys
import warnings

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog

warnings.filterwarnings("ignore")
ORDERS = pa.schema([("id", pa.int64()), ("city", pa.string()), ("price", pa.float64())])


def orders(first, count):
    ids = list(range(first, first + count))
    cities = [None if i % 5 == 4 else ["Kiel", "Bonn", "Köln"][i % 3] for i in ids]
    return pa.table({"id": ids, "city": cities, "price": [i / 2 for i in ids]}, schema=ORDERS)


def main(folder, action="create"):
    catalog = SqlCatalog("svc", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    if action == "create":
        catalog.create_namespace("ns")
        # The limit gives files several row groups.
        table = catalog.create_table("ns.orders", ORDERS, properties={"write.parquet.row-group-limit": "4"})
        table.append(orders(0, 10))
        table.append(orders(10, 5))
        catalog.create_table("ns.empty", ORDERS)
    elif action == "large":
        table = catalog.create_table("ns.large", ORDERS)
        table.append(orders(0, 300_000))
    else:
        table = catalog.load_table("ns.orders")
        table.append(orders(1000, 1))
    snapshots = [str(snapshot.snapshot_id) for snapshot in table.metadata.snapshots]
    print(json.dumps({"snapshots": snapshots}))


main(*sys.argv[1:])
