"""Reads Iceberg tables by pyiceberg, like its users.

Each line of the input is JSON: [PROPERTIES, TABLE, OUT, ACTIONS]. PROPERTIES are those of pyiceberg with the `name`
of the catalog, or only the address of the table's `metadata`. The rows of the current snapshot are written to
OUT.arrows, those of each tag to OUT.<tag>.arrows. Prints one line of JSON about the table; if OUT.expected.arrows
exists, also the columns in which the table has other values. The action `--append` first adds a row, `--branch` a
branch, like another program.
"""

import json
import os
import sys
import warnings

import pyarrow as pa
from pyiceberg.catalog import load_catalog
from pyiceberg.table import StaticTable

warnings.filterwarnings("ignore")


def write(rows, path):
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_table(rows)


def main(properties, name, out, actions):
    if "metadata" in properties:
        table = StaticTable.from_metadata(properties["metadata"])
    else:
        table = load_catalog(properties.pop("name"), **properties).load_table(name)
    if "--append" in actions:
        schema = table.schema().as_arrow()
        table.append(pa.table({field.name: pa.nulls(1, field.type) for field in schema}, schema=schema))
    if "--branch" in actions:
        table.manage_snapshots().create_branch(table.current_snapshot().snapshot_id, "work").commit()
    write(table.scan().to_arrow(), f"{out}.arrows")
    expected, differing = f"{out}.expected.arrows", []
    if os.path.exists(expected):
        rows = table.scan().to_arrow()
        with pa.OSFile(expected) as source:
            for name, column in zip(*(lambda t: (t.column_names, t.columns))(pa.ipc.open_stream(source).read_all())):
                wanted = column.cast(rows.schema.field(name).type).to_pylist()
                # Compared as text, in which NaN equals NaN.
                same = repr(wanted) == repr(rows.column(name).to_pylist())
                differing += [] if same else [name]
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
                "differing": differing,
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
        ),
        flush=True,
    )


for line in sys.stdin:
    main(*json.loads(line))
