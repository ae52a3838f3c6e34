"""Writes Iceberg tables of kinds that random histories do not make, by pyiceberg, with the expected rows of a scan.

Usage: iceberg_cases.py FOLDER. Prints a line of JSON per table: its name and the file of its rows (Arrow).
"""

import datetime as dt
import json
import sqlite3
import sys
import warnings
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.avro.file import AvroOutputFile
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import schema_to_pyarrow
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestEntry,
    ManifestEntryStatus,
)
from pyiceberg.manifest import ManifestWriterV2
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record
from pyiceberg.types import (
    BinaryType,
    FixedType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
    TimestampType,
    TimestamptzType,
    TimeType,
    UUIDType,
)
from pyroaring import BitMap64

warnings.filterwarnings("ignore")


class DeleteManifestWriter(ManifestWriterV2):
    def content(self):
        return ManifestContent.DELETES

    @property
    def _meta(self):
        return {**super()._meta, "content": "deletes"}


class VectorManifestWriter(DeleteManifestWriter):
    @property
    def version(self):
        return 3

    def new_writer(self):
        schema = self._with_partition(3)
        return AvroOutputFile(
            self._output_file, schema, "manifest_entry", record_schema=schema, metadata=self._meta
        )


def with_id(name, kind, number):
    return pa.field(name, kind, metadata={"PARQUET:field_id": str(number)})


def delete_file(table, path, rows, content, equality_ids=None):
    pq.write_table(rows, path)
    return DataFile.from_args(
        content=content,
        file_path=f"file://{path}",
        file_format=FileFormat.PARQUET,
        partition=Record(),
        record_count=rows.num_rows,
        file_size_in_bytes=len(open(path, "rb").read()),
        equality_ids=equality_ids,
        spec_id=table.spec().spec_id,
    )


def commit_deletes(table, files, kind=DeleteManifestWriter):
    """Commits a snapshot that adds delete files, which pyiceberg can read but not write."""
    with table.transaction() as transaction:
        with transaction.update_snapshot().fast_append() as producer:
            before = producer._existing_manifests

            def manifests():
                output = producer.new_manifest_output()
                writer = kind(table.spec(), table.schema(), output, producer._snapshot_id, "deflate")
                with writer:
                    for file in files:
                        entry = ManifestEntry.from_args(
                            status=ManifestEntryStatus.ADDED,
                            snapshot_id=producer._snapshot_id,
                            data_file=file,
                        )
                        writer.add_entry(entry)
                return [*before(), writer.to_manifest_file()]

            producer._manifests = manifests
    return table.refresh()


def positions(path, rows):
    schema = pa.schema(
        [with_id("file_path", pa.string(), 2147483546), with_id("pos", pa.int64(), 2147483545)]
    )
    return pa.table({"file_path": [path for _, path in rows], "pos": [at for at, _ in rows]}, schema=schema)


def files_of(table):
    return sorted(task.file.file_path for task in table.scan().plan_files())


def position_deletes(catalog, folder):
    table = catalog.create_table(
        "ns.positions",
        schema=pa.schema([("k", pa.int64()), ("s", pa.string())]),
        properties={"format-version": "2"},
    )
    table.append(pa.table({"k": list(range(10)), "s": [f"a{i}" for i in range(10)]}))
    table.append(pa.table({"k": list(range(10, 20)), "s": [f"b{i}" for i in range(10)]}))
    one, two = files_of(table)
    first = delete_file(
        table,
        f"{folder}/d1.parquet",
        positions(one, sorted([(0, one), (3, two), (9, one), (9, two)], key=lambda r: (r[1], r[0]))),
        DataFileContent.POSITION_DELETES,
    )
    table = commit_deletes(table, [first])
    table.append(pa.table({"k": [100, 101], "s": ["new", None]}))
    second = delete_file(
        table, f"{folder}/d2.parquet", positions(two, [(4, two)]), DataFileContent.POSITION_DELETES
    )
    table = commit_deletes(table, [second])
    return table, table.scan().to_arrow()


def equality_deletes(catalog, folder):
    table = catalog.create_table(
        "ns.equality",
        schema=pa.schema([("k", pa.int64()), ("s", pa.string())]),
        properties={"format-version": "2"},
    )
    table.append(pa.table({"k": [1, 2, 3, None, 5, 6], "s": ["a", "b", "c", "d", None, "f"]}))
    by_key = pa.table({"k": [2, None]}, schema=pa.schema([with_id("k", pa.int64(), 1)]))
    by_both = pa.table(
        {"s": [None, "x"], "k": [5, 6]},
        schema=pa.schema([with_id("s", pa.string(), 2), with_id("k", pa.int64(), 1)]),
    )
    table = commit_deletes(
        table,
        [
            delete_file(table, f"{folder}/e1.parquet", by_key, DataFileContent.EQUALITY_DELETES, [1]),
            delete_file(table, f"{folder}/e2.parquet", by_both, DataFileContent.EQUALITY_DELETES, [2, 1]),
        ],
    )
    # Rows with the same values that are added later stay.
    table.append(pa.table({"k": [2, 5], "s": ["again", None]}))
    table.refresh()
    rows = pa.table({"k": [1, 3, 6, 2, 5], "s": ["a", "c", "f", "again", None]})
    return table, rows


def deletion_vectors(catalog, folder):
    """A table of format v3, which pyiceberg can read; it writes v2."""
    table = catalog.create_table(
        "ns.vectors", schema=pa.schema([("k", pa.int64())]), properties={"format-version": "2"}
    )
    table.append(pa.table({"k": list(range(100_000))}))
    table.append(pa.table({"k": [-1, -2]}))
    data = next(t.file for t in table.scan().plan_files() if t.file.record_count > 2)
    deleted = BitMap64([*range(0, 70_000), 70_001, 99_999])
    deleted.run_optimize()
    content = bytes.fromhex("d1d33964") + deleted.serialize()
    blob = len(content).to_bytes(4, "big") + content + zlib.crc32(content).to_bytes(4, "big")
    about = {
        "type": "deletion-vector-v1",
        "fields": [],
        "snapshot-id": -1,
        "sequence-number": -1,
        "offset": 4,
        "length": len(blob),
    }
    about["properties"] = {"referenced-data-file": data.file_path, "cardinality": str(len(deleted))}
    footer = json.dumps({"blobs": [about]}).encode()
    path = f"{folder}/v.puffin"
    with open(path, "wb") as file:
        file.write(b"PFA1" + blob + b"PFA1" + footer + len(footer).to_bytes(4, "little") + bytes(4) + b"PFA1")
    vector = DataFile.from_args(
        _table_format_version=3,
        content=DataFileContent.POSITION_DELETES,
        file_path=f"file://{path}",
        file_format=FileFormat.PUFFIN,
        partition=Record(),
        record_count=len(deleted),
        file_size_in_bytes=len(blob),
        referenced_data_file=data.file_path,
        content_offset=4,
        content_size_in_bytes=len(blob),
        spec_id=0,
    )
    table = commit_deletes(table, [vector], VectorManifestWriter)
    old = table.metadata_location
    with open(old.removeprefix("file://")) as file:
        metadata = json.load(file)
    metadata.update({"format-version": 3, "next-row-id": 200_000})
    for snapshot in metadata["snapshots"]:
        snapshot.update({"first-row-id": 0, "added-rows": 1})
    new = old.replace(".metadata.json", "-v3.metadata.json")
    with open(new.removeprefix("file://"), "w") as file:
        json.dump(metadata, file)
    with sqlite3.connect(f"{folder}/catalog.db") as database:
        database.execute(
            "UPDATE iceberg_tables SET metadata_location = ? WHERE table_name = 'vectors'", (new,)
        )
    table = catalog.load_table("ns.vectors")
    assert table.format_version == 3
    return table, table.scan().to_arrow()


def name_mapping(catalog, folder):
    path = f"{folder}/no-ids.parquet"
    inner = pa.struct([("x", pa.int32()), ("y", pa.list_(pa.string()))])
    rows = pa.table(
        {"k": [1, 2, None], "st": pa.array([{"x": 1, "y": ["q", None]}, None, {"x": None, "y": []}], inner)}
    )
    pq.write_table(rows, path)
    table = catalog.create_table("ns.mapped", schema=rows.schema)
    table.add_files([f"file://{path}"])
    with table.update_schema() as update:
        update.rename_column("k", "key")
    table.refresh()
    return table, table.scan().to_arrow()


def every_type(catalog, folder):
    schema = Schema(
        NestedField(1, "time", TimeType(), required=False),
        NestedField(2, "fixed", FixedType(3), required=False),
        NestedField(3, "binary", BinaryType(), required=False),
        NestedField(4, "uuid", UUIDType(), required=False),
        NestedField(
            5,
            "maps",
            ListType(6, MapType(7, StringType(), 8, ListType(9, LongType(), False), False), False),
            required=False,
        ),
        NestedField(
            10,
            "deep",
            StructType(NestedField(11, "in", StructType(NestedField(12, "at", TimestamptzType())))),
            required=False,
        ),
        NestedField(13, "a", TimestampType(), required=False),
        NestedField(14, "A", StringType(), required=False),
        NestedField(15, "file_row_number", LongType(), required=True),
        NestedField(
            16,
            "two words \"'%",
            StructType(NestedField(17, "x", LongType()), NestedField(18, "X", StringType())),
            required=False,
        ),
    )
    table = catalog.create_table("ns.types", schema=schema, location=f"file://{folder}/odd [1] * name")
    utc = dt.timezone.utc
    rows = {
        "time": [dt.time(23, 59, 59, 999999), None],
        "fixed": [b"\x00\x01\xff", None],
        "binary": [b"", b"\x00"],
        "uuid": [b"0123456789abcdef", None],
        "maps": [[[("k", [1, None]), ("l", None)], None], []],
        "deep": [{"in": {"at": dt.datetime(1900, 1, 1, tzinfo=utc)}}, {"in": None}],
        "a": [dt.datetime(9999, 12, 31, 23, 59, 59, 999999), dt.datetime(1, 1, 1)],
        "A": ["\x00nul", "é"],
        "file_row_number": [-1, 7],
        "two words \"'%": [{"x": 1, "X": "one"}, None],
    }
    table.append(pa.table(rows, schema=schema_to_pyarrow(schema, include_field_ids=False)))
    return table, table.scan().to_arrow()


def not_numbers(catalog, folder):
    """NaN beside a single other value, which is the only value in the statistics of the files."""
    rows = pa.table({"d": [0.5, 0.5, float("nan")], "f": pa.array([2, float("nan"), None], pa.float32())})
    table = catalog.create_table("ns.nans", schema=rows.schema)
    table.append(rows)
    return table, table.scan().to_arrow()


def empty(catalog, folder):
    table = catalog.create_table("ns.empty", schema=pa.schema([("k", pa.int64())]))
    return table, table.scan().to_arrow()


def main(folder):
    catalog = SqlCatalog("default", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("ns")
    catalog.create_namespace("bare")
    for write in [position_deletes, equality_deletes, deletion_vectors, name_mapping, every_type, not_numbers, empty]:
        table, rows = write(catalog, folder)
        file = f"{folder}/{table.name()[-1]}.arrows"
        with pa.ipc.new_stream(file, rows.schema) as writer:
            writer.write_table(rows)
        print(
            json.dumps(
                {
                    "table": ".".join(table.name()),
                    "file": file,
                    "files": [t.file.file_path for t in table.scan().plan_files()]
                    if write is not equality_deletes
                    else [],
                }
            ),
            flush=True,
        )


main(sys.argv[1])
