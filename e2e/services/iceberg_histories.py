"""Writes Iceberg tables with random histories by pyiceberg, with the results of pyiceberg's scans.

Usage: iceberg_histories.py FOLDER FIRST COUNT. Each seed from FIRST on makes one table in the warehouse FOLDER.
Prints a line of JSON per table: its name and its queries, each with the file of the expected rows (an Arrow stream).
"""

import datetime as dt
import decimal
import json
import math
import random
import sys
import warnings

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.expressions import (
    And,
    AlwaysTrue,
    EqualTo,
    GreaterThan,
    GreaterThanOrEqual,
    LessThan,
    LessThanOrEqual,
    NotEqualTo,
)
from pyiceberg.io.pyarrow import schema_to_pyarrow
from pyiceberg.schema import Schema
from pyiceberg.transforms import parse_transform
from pyiceberg.types import (
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
    TimestampType,
    TimestamptzType,
    UUIDType,
)

warnings.filterwarnings("ignore")

OPERATORS = {
    "=": EqualTo,
    "!=": NotEqualTo,
    "<": LessThan,
    "<=": LessThanOrEqual,
    ">": GreaterThan,
    ">=": GreaterThanOrEqual,
}
EPOCH = dt.datetime(1970, 1, 1)
TEXTS = ["", "a", "ab", "abc", "b", "ä€𝄞", "𝄞𝄞", "zz'z", "A", "x" * 40]


def value_of(rnd, kind, nulls=True):
    """A value of a type, often one of only a few values, so that filters match some rows."""
    if nulls and rnd.random() < 0.15:
        return None
    if isinstance(kind, BooleanType):
        return rnd.random() < 0.5
    if isinstance(kind, IntegerType):
        return rnd.choice([-(2**31), -3, -1, 0, 1, 2, 3, 7, 2**31 - 1])
    if isinstance(kind, LongType):
        return rnd.choice([-(2**63), -5, -1, 0, 1, 2, 3, 2**53 + 1, 2**63 - 1])
    if isinstance(kind, (FloatType, DoubleType)):
        return rnd.choice([-1.5, -0.0, 0.0, 0.5, 1.0, 2.25, math.nan, math.inf, -math.inf])
    if isinstance(kind, StringType):
        return rnd.choice(TEXTS)
    if isinstance(kind, DateType):
        return dt.date(1970, 1, 1) + dt.timedelta(days=rnd.choice([-4000, -366, -1, 0, 1, 59, 365, 20000]))
    if isinstance(kind, TimestampType):
        return EPOCH + dt.timedelta(
            microseconds=rnd.choice(
                [-(10**15), -1, 0, 1, 3_600_000_000, 86_400_000_000, 1_700_000_000_123_456]
            )
        )
    if isinstance(kind, TimestamptzType):
        moment = value_of(rnd, TimestampType(), nulls=False)
        return moment.replace(tzinfo=dt.timezone.utc)
    if isinstance(kind, DecimalType):
        return decimal.Decimal(rnd.choice([-99999, -150, -1, 0, 1, 100, 12345])).scaleb(-kind.scale)
    if isinstance(kind, UUIDType):
        return bytes(rnd.choice([0, 1, 200]) for _ in range(1)) * 16
    if isinstance(kind, ListType):
        return [value_of(rnd, kind.element_type) for _ in range(rnd.randint(0, 3))]
    if isinstance(kind, MapType):
        return [
            (key, value_of(rnd, kind.value_type)) for key in rnd.sample(["k", "l", "m"], rnd.randint(0, 2))
        ]
    if isinstance(kind, StructType):
        return {field.name: value_of(rnd, field.field_type) for field in kind.fields}
    raise TypeError(kind)


def rows_of(rnd, schema, count):
    columns = {field.name: [value_of(rnd, field.field_type) for _ in range(count)] for field in schema.fields}
    return pa.table(columns, schema=schema_to_pyarrow(schema, include_field_ids=False))


def start_schema(rnd):
    kinds = [
        ("i", IntegerType()),
        ("n", LongType()),
        ("f", FloatType()),
        ("g", DoubleType()),
        ("s", StringType()),
        ("b", BooleanType()),
        ("d", DateType()),
        ("t", TimestampType()),
        ("z", TimestamptzType()),
        ("c", DecimalType(9, 2)),
        ("u", UUIDType()),
    ]
    chosen = rnd.sample(kinds, rnd.randint(3, 6))
    nested = [
        ("st", StructType(NestedField(51, "x", IntegerType()), NestedField(52, "y", StringType()))),
        ("li", ListType(53, LongType(), element_required=False)),
        (
            "ls",
            ListType(
                54,
                StructType(NestedField(55, "p", IntegerType()), NestedField(56, "q", DateType())),
                element_required=False,
            ),
        ),
        ("m", MapType(57, StringType(), 58, IntegerType(), value_required=False)),
    ]
    chosen += rnd.sample(nested, rnd.randint(0, 2))
    return Schema(*(NestedField(i + 1, name, kind, required=False) for i, (name, kind) in enumerate(chosen)))


def evolve(rnd, table, names):
    """Makes one change of the schema, if it is possible now."""
    fields = table.schema().fields
    partitioned = {field.source_id for spec in table.specs().values() for field in spec.fields}
    choice = rnd.choice(["add", "drop", "rename", "promote", "move", "nested", "nested"])
    free = [field for field in fields if field.field_id not in partitioned]
    with table.update_schema() as update:
        if choice == "add":
            update.add_column(next(names), rnd.choice([LongType(), StringType(), DateType(), DoubleType()]))
        elif choice == "drop" and len(fields) > 2 and free:
            update.delete_column(rnd.choice(free).name)
        elif choice == "rename":
            update.rename_column(rnd.choice(fields).name, next(names))
        elif choice == "move" and len(fields) > 1:
            update.move_first(rnd.choice(fields).name)
        elif choice == "promote":
            for field in free:
                kind = field.field_type
                if isinstance(kind, IntegerType):
                    update.update_column(field.name, LongType())
                elif isinstance(kind, FloatType):
                    update.update_column(field.name, DoubleType())
                elif isinstance(kind, DecimalType) and kind.precision < 20:
                    update.update_column(field.name, DecimalType(20, kind.scale))
        elif choice == "nested":
            for field in fields:
                kind = field.field_type
                if isinstance(kind, StructType):
                    inner = kind.fields
                    if rnd.random() < 0.5:
                        update.add_column((field.name, next(names)), rnd.choice([LongType(), StringType()]))
                    elif len(inner) > 1 and rnd.random() < 0.5:
                        update.delete_column((field.name, inner[0].name))
                    else:
                        update.rename_column((field.name, inner[-1].name), next(names))
                elif isinstance(kind, ListType) and isinstance(kind.element_type, StructType):
                    update.add_column((field.name, "element", next(names)), LongType())
                elif isinstance(kind, MapType) and isinstance(kind.value_type, IntegerType):
                    update.update_column((field.name, "value"), LongType())


def transforms_of(kind):
    whole = ["identity", "bucket[3]", "truncate[4]"]
    if isinstance(kind, (IntegerType, LongType, DecimalType)):
        return whole
    if isinstance(kind, StringType):
        return ["identity", "bucket[3]", "truncate[2]"]
    if isinstance(kind, DateType):
        return ["identity", "bucket[3]", "year", "month", "day"]
    if isinstance(kind, (TimestampType, TimestamptzType)):
        return ["bucket[3]", "year", "month", "day", "hour"]
    if isinstance(kind, BooleanType):
        return ["identity"]
    return []


def repartition(rnd, table, names):
    live = table.spec().fields
    if live and rnd.random() < 0.4:
        with table.update_spec() as update:
            update.remove_field(rnd.choice(live).name)
        return
    used = {field.source_id for field in live}
    fields = [f for f in table.schema().fields if transforms_of(f.field_type) and f.field_id not in used]
    if not fields:
        return
    field = rnd.choice(fields)
    with table.update_spec() as update:
        update.add_field(
            field.name, parse_transform(rnd.choice(transforms_of(field.field_type))), next(names)
        )


def json_value(value, kind):
    """A value in the form of a scan's filter."""
    if isinstance(kind, DecimalType):
        return f"__decimal__:{value}"
    if isinstance(kind, DateType):
        return f"__date__:{value.isoformat()}"
    if isinstance(kind, (TimestampType, TimestamptzType)):
        return f"__datetime__:{value.isoformat()}"
    return value


def literal(value, kind):
    """A value in the form of pyiceberg's expressions."""
    if isinstance(kind, (TimestampType, TimestamptzType, DateType)):
        return value.isoformat()
    return value


def filters_of(rnd, schema):
    # pyarrow cannot compare UUIDs.
    comparable = [
        f for f in schema.fields if f.field_type.is_primitive and not isinstance(f.field_type, UUIDType)
    ]
    found, expression = [], AlwaysTrue()
    for _ in range(rnd.choice([0, 1, 1, 2])):
        if not comparable:
            break
        field = rnd.choice(comparable)
        kind = field.field_type
        operator = rnd.choice(["=", "!="] if isinstance(kind, BooleanType) else list(OPERATORS))
        value = value_of(rnd, kind, nulls=False)
        if isinstance(value, float) and not math.isfinite(value):
            continue
        found.append({"column": field.name, "op": operator, "value": json_value(value, kind)})
        expression = And(expression, OPERATORS[operator](field.name, literal(value, kind)))
    return found, expression


def history(rnd, catalog, name):
    counter = iter(range(1000))
    names = (f"w{next(counter)}" for _ in iter(int, 1))
    version = rnd.choice(["1", "2", "2"])
    properties = {
        "format-version": version,
        "write.parquet.compression-codec": rnd.choice(
            ["zstd", "snappy", "gzip", "uncompressed", "lz4", "brotli"]
        ),
        "write.metadata.compression-codec": rnd.choice(["none", "gzip"]),
    }
    table = catalog.create_table(name, schema=start_schema(rnd), properties=properties)
    steps = []
    for _ in range(rnd.randint(3, 8)):
        step = rnd.choice(["append", "append", "append", "schema", "schema", "spec", "delete", "overwrite"])
        steps.append(step)
        if step == "append":
            table.append(rows_of(rnd, table.schema(), rnd.choice([1, 5, 20])))
        elif step == "schema":
            evolve(rnd, table, names)
        elif step == "spec":
            repartition(rnd, table, names)
        elif step == "delete":
            _, expression = filters_of(rnd, table.schema())
            if not isinstance(expression, AlwaysTrue):
                table.delete(expression)
        else:
            table.overwrite(rows_of(rnd, table.schema(), 4))
        table.refresh()
    return table, steps


def queries(rnd, table, folder, name):
    found = []
    snapshots = [None] + [s.snapshot_id for s in table.snapshots()]
    for i in range(4):
        snapshot = rnd.choice(snapshots)
        schema = table.schema() if snapshot is None else table.scan(snapshot_id=snapshot).projection()
        filters, expression = filters_of(rnd, schema)
        columns = None
        if rnd.random() < 0.5:
            columns = rnd.sample([f.name for f in schema.fields], rnd.randint(1, len(schema.fields)))
        wanted = columns and list(dict.fromkeys([*columns, *(f["column"] for f in filters)]))
        rows = table.scan(expression, tuple(wanted) if wanted else ("*",), snapshot_id=snapshot).to_arrow()
        for one in filters:
            # NULL does not match `!=`, but pyiceberg returns it if a file lacks the column.
            rows = rows.filter(pc.is_valid(rows[one["column"]]))
        rows = rows.select(columns) if columns else rows
        file = f"{folder}/{name}-{i}.arrows"
        with pa.ipc.new_stream(file, rows.schema) as writer:
            writer.write_table(rows)
        found.append(
            {
                "columns": columns,
                "filters": filters,
                "snapshot": None if snapshot is None else str(snapshot),
                "file": file,
            }
        )
    return found


def main(folder, first, count):
    catalog = SqlCatalog("default", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("ns")
    for seed in range(first, first + count):
        rnd = random.Random(seed)
        name = f"t{seed}"
        try:
            table, steps = history(rnd, catalog, f"ns.{name}")
            line = {"table": f"ns.{name}", "steps": steps, "queries": queries(rnd, table, folder, name)}
        except Exception as error:  # the test counts and limits what pyiceberg itself cannot do
            line = {"table": f"ns.{name}", "failed": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(line), flush=True)


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
