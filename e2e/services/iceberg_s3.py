"""Writes an Iceberg table whose files are in an S3 bucket, with its SQLite catalog in a folder, by pyiceberg.

Usage: iceberg_s3.py FOLDER ENDPOINT KEY SECRET BUCKET. Prints a line of JSON: the table, and one of its data files.
"""

import json
import sys
import warnings

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog

warnings.filterwarnings("ignore")
folder, endpoint, key, secret, bucket = sys.argv[1:]
catalog = SqlCatalog(
    "lake",
    **{
        "uri": f"sqlite:///{folder}/catalog.db",
        "warehouse": f"s3://{bucket}/warehouse",
        "s3.endpoint": endpoint,
        "s3.access-key-id": key,
        "s3.secret-access-key": secret,
        "s3.region": "us-east-1",
    },
)
catalog.create_namespace("ns")
table = catalog.create_table("ns.t", schema=pa.schema([("k", pa.int64()), ("s", pa.string())]))
table.append(pa.table({"k": [1, 2, 3], "s": ["a", "b", None]}))
table.append(pa.table({"k": [4], "s": ["d"]}))
print(
    json.dumps({"table": "ns.t", "files": [task.file.file_path for task in table.scan().plan_files()]}),
    flush=True,
)
