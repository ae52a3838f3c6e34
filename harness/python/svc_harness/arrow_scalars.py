"""Converts dates, decimals, bytes, UUIDs and other single values to a one-row Arrow table and back.

What Arrow drops (time zone objects, decimal digits, fold) is stored in `svc.arrow.scalar.detail`. Each value is
read back immediately and refused if it differs, so a stored scalar always round-trips.
"""

import sys

from .arrow_meta import SCALAR_DETAIL, SCALAR_TYPE, SHAPE, Refused, entry, json_entry, tagged
from .json_values import dumps
from .real_types import package_of

_NAMES = {
    ("datetime", "datetime"): "datetime",
    ("datetime", "date"): "date",
    ("datetime", "time"): "time",
    ("datetime", "timedelta"): "timedelta",
    ("decimal", "Decimal"): "decimal",
    ("builtins", "bytes"): "bytes",
    ("builtins", "bytearray"): "bytearray",
    ("uuid", "UUID"): "uuid",
    ("builtins", "complex"): "complex",
}


def scalar_name(value):
    """The `svc.arrow.scalar.type` of a value, or None if it is not a supported scalar."""
    kind = type(value)
    name = _NAMES.get((str(kind.__module__), kind.__name__))
    if name is None and kind.__name__ in ("Timestamp", "Timedelta") and package_of(kind) == "pandas":
        return "pandas." + kind.__name__
    return name


def scalar_table(value):
    import pyarrow as pa

    name = scalar_name(value)
    detail = None
    try:
        if name == "complex":
            column = pa.array([value.real, value.imag], pa.float64())
        elif name == "uuid":
            column = pa.array([str(value)], pa.string())
            detail = {"safe": value.is_safe.name}
        elif name in ("bytes", "bytearray"):
            column = pa.array([bytes(value)], pa.binary())
        elif name == "decimal":
            column = pa.array([value])
            detail = {"text": str(value)}
        elif name == "datetime":
            detail = {"text": value.replace(tzinfo=None, fold=0).isoformat(), "fold": value.fold}
            zone = _zone_detail(value.tzinfo)
            detail.update(zone)
            column = pa.array([value], pa.timestamp("us", tz=_arrow_zone(zone)))
        elif name == "time":
            if value.tzinfo is not None:
                raise Refused("time with a zone")
            column = pa.array([value], pa.time64("us"))
            detail = {"text": value.replace(fold=0).isoformat(), "fold": value.fold}
        elif name == "date":
            column = pa.array([value], pa.date32())
        elif name == "timedelta":
            column = pa.array([value], pa.duration("us"))
        else:  # pandas.Timestamp, pandas.Timedelta
            unit = getattr(value, "unit", "ns")
            if name == "pandas.Timedelta":
                column = pa.array([value.as_unit(unit).value], pa.int64()).view(pa.duration(unit))
            else:
                zone = _pandas_zone(value.tzinfo)
                column = pa.array([value], pa.timestamp(unit, tz=_arrow_zone(zone)))
                detail = {"fold": value.fold}
                detail.update(zone)
        entries = {SHAPE: "scalar", SCALAR_TYPE: name}
        if detail is not None:
            entries[SCALAR_DETAIL] = dumps(detail)
        table = tagged(pa.table({"value": column}), entries)
        back = read_scalar(table)
    except Refused:
        raise
    except Exception as error:  # out of Arrow's range, or an unsupported zone: another format stores it
        raise Refused(str(error)) from error
    if type(back) is not type(value) or repr(back) != repr(value):
        raise Refused("would come back as %r" % (back,))
    return table


def _zone_detail(zone):
    """JSON that rebuilds a time zone: only classes of the standard library, matched by exact class."""
    if zone is None:
        return {}
    kind = type(zone)
    if kind.__module__ == "datetime" and kind.__name__ == "timezone":
        return {"offset": zone.utcoffset(None).total_seconds(), "name": repr(zone)}
    if kind.__name__ == "ZoneInfo" and zone.key:
        return {"zone": zone.key}
    raise Refused("time zone of class " + kind.__name__)


def _pandas_zone(zone):
    """pandas before 3 creates zones with pytz and looks them up by name."""
    if package_of(type(zone)) == "pytz":
        return {"zone": str(zone), "pytz": True}
    return _zone_detail(zone)


def _arrow_zone(detail):
    if "zone" in detail:
        return detail["zone"]
    if "offset" in detail:
        seconds = int(detail["offset"])
        if seconds == 0:
            return "UTC"
        if detail["offset"] % 60:
            raise Refused("an offset with seconds")
        minutes = abs(seconds) // 60
        return "%s%02d:%02d" % ("-" if seconds < 0 else "+", minutes // 60, minutes % 60)
    return None


def _zone(detail):
    import datetime

    if "zone" in detail:
        import zoneinfo

        return zoneinfo.ZoneInfo(detail["zone"])
    if "offset" in detail:
        if detail["offset"] == 0:
            return datetime.timezone.utc
        return datetime.timezone(datetime.timedelta(seconds=detail["offset"]))
    return None


def read_scalar(table):
    metadata = table.schema.metadata
    name = entry(metadata, SCALAR_TYPE)
    detail = json_entry(metadata, SCALAR_DETAIL) or {}
    column = table.column("value")
    if name == "complex":
        return complex(column[0].as_py(), column[1].as_py())
    if name == "numpy":
        from .arrow_tensors import read_numpy_scalar

        return read_numpy_scalar(table)
    if name == "uuid":
        import uuid

        return uuid.UUID(column[0].as_py(), is_safe=uuid.SafeUUID[detail.get("safe", "unknown")])
    if name == "decimal" and "text" in detail:
        import decimal

        return decimal.Decimal(detail["text"])
    if name == "datetime" and "text" in detail:
        import datetime

        plain = datetime.datetime.fromisoformat(detail["text"])
        return plain.replace(tzinfo=_zone(detail), fold=detail["fold"])
    if name == "time" and "text" in detail:
        import datetime

        return datetime.time.fromisoformat(detail["text"]).replace(fold=detail["fold"])
    if name is not None and name.startswith("pandas."):
        return _read_pandas(name, column, detail)
    value = column[0].as_py()
    return bytearray(value) if name == "bytearray" else value


def _read_pandas(name, column, detail):
    try:
        import pandas as pd
    except ImportError:
        print("svc: pandas is not installed, so a %s is loaded as a plain value" % name, file=sys.stderr)
        return column[0].as_py()
    unit = column.type.unit
    number = column.cast("int64")[0].as_py()
    if name == "pandas.Timedelta":
        value = pd.Timedelta(number, unit=unit)
    else:
        value = pd.Timestamp(number, unit=unit)
        zone = detail["zone"] if detail.get("pytz") else _zone(detail)
        if zone is not None:
            value = value.tz_localize("UTC").tz_convert(zone)
    return value.as_unit(unit) if hasattr(value, "as_unit") else value
