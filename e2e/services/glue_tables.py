"""Writes Iceberg tables into an AWS Glue catalog by pyiceberg.

Usage: glue_tables.py FOLDER ENDPOINT KEY SECRET. The rows are in FOLDER. The database `ns` also has a table that is not
an Iceberg table.
"""

import sys
import warnings

import boto3
import pyarrow as pa
from pyiceberg.catalog.glue import GlueCatalog

warnings.filterwarnings("ignore")


def main(folder, endpoint, key, secret):
    catalog = GlueCatalog(
        "lake",
        **{
            "glue.endpoint": endpoint,
            "glue.region": "us-east-1",
            "glue.access-key-id": key,
            "glue.secret-access-key": secret,
            "warehouse": f"file://{folder}",
        },
    )
    catalog.create_namespace("bare")
    catalog.create_namespace("ns")
    table = catalog.create_table("ns.orders", pa.schema([("id", pa.int64())]))
    table.append(pa.table({"id": [1, 2, 3]}))
    glue = boto3.client(
        "glue",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id=key,
        aws_secret_access_key=secret,
    )
    glue.create_table(DatabaseName="ns", TableInput={"Name": "hive", "Parameters": {"table_type": "EXTERNAL"}})


main(*sys.argv[1:])
