"""Reads an Iceberg table by pyiceberg, as its users do.

Usage: iceberg_read.py PROPERTIES TABLE OUT [--append N]. PROPERTIES is JSON, as pyiceberg names them, with the `name` of the
catalog. The rows of the current snapshot go to OUT.arrows, those of each tag to OUT.<tag>.arrows. One line of JSON says what
the table is. `--append` adds a row first, `--branch` a branch, as another program would.
"""

import json
import sys
import warnings

import pyarrow as pa
from pyiceberg.catalog import load_catalog

warnings.filterwarnings("ignore")


def write(rows, path):
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_table(rows)


def main(properties, name, out, *actions):
    properties = json.loads(properties)
    table = load_catalog(properties.pop("name"), **properties).load_table(name)
    if "--append" in actions:
        schema = table.schema().as_arrow()
        table.append(pa.table({field.name: pa.nulls(1, field.type) for field in schema}, schema=schema))
    if "--branch" in actions:
        table.manage_snapshots().create_branch(table.current_snapshot().snapshot_id, "work").commit()
    write(table.scan().to_arrow(), f"{out}.arrows")
    tags = {}
    for tag, ref in table.metadata.refs.items():
        if ref.snapshot_ref_type == "tag":
            tags[tag] = str(ref.snapshot_id)
            write(table.scan(snapshot_id=ref.snapshot_id).to_arrow(), f"{out}.{tag}.arrows")
    print(
        json.dumps(
            {
                "location": table.location(),
                "tags": tags,
                "columns": [[field.field_id, field.name, str(field.field_type)] for field in table.schema().fields],
                "schemas": len(table.metadata.schemas),
                "current": str(table.current_snapshot().snapshot_id),
                "snapshots": [
                    {"id": str(one.snapshot_id), "parent": one.parent_snapshot_id, **one.summary.model_dump()}
                    for one in table.snapshots()
                ],
                "entries": [
                    {"status": int(entry["status"]), "file": entry["data_file"]["file_path"]}
                    for entry in table.inspect.entries().to_pylist()
                ],
                "log": len(table.metadata.metadata_log),
            },
            default=str,
        )
    )


main(*sys.argv[1:])
