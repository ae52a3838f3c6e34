"""Converts the filters of a scan to the server's format: typed values are strings with a type prefix."""

import datetime
import decimal
import math
import uuid

from .errors import SvcError

_OPERATORS = ("=", "!=", "<", "<=", ">", ">=")


def filters_of(filters):
    """`[("price", ">", 10), …]` in the format of a request. A single condition need not be in a list."""
    if filters is None:
        return None
    is_one = isinstance(filters, tuple) and len(filters) > 0 and isinstance(filters[0], str)
    if is_one or not isinstance(filters, (list, tuple)):
        filters = [filters]
    return [_filter(one) for one in filters]


def _filter(condition):
    if isinstance(condition, dict) and set(condition) == {"column", "op", "value"}:
        column, op, value = condition["column"], condition["op"], condition["value"]
    elif isinstance(condition, (tuple, list)) and len(condition) == 3:
        column, op, value = condition
    else:
        raise SvcError('A filter is (column, operator, value), for example ("price", ">", 10). This is not: %r.' % (condition,))
    op = "=" if op == "==" else op
    if op not in _OPERATORS:
        raise SvcError("The filter on %r has the operator %r. Use one of %s." % (column, op, ", ".join(_OPERATORS)))
    return {"column": column, "op": op, "value": typed(value, column)}


def typed(value, column):
    """A Python value in the server's format."""
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise SvcError("The filter on %r compares with %r. Only finite numbers can be compared." % (column, value))
        # Subclasses of float in libraries have their own repr.
        return float(value)
    if isinstance(value, datetime.datetime):
        return "__datetime__:" + value.isoformat()
    if isinstance(value, datetime.date):
        return "__date__:" + value.isoformat()
    if isinstance(value, datetime.time):
        return "__time__:" + value.isoformat()
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise SvcError("The filter on %r compares with %r. Only finite numbers can be compared." % (column, value))
        return "__decimal__:" + format(value, "f")
    if isinstance(value, uuid.UUID):
        return "__uuid__:" + str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "__bytes__:" + bytes(value).hex()
    if type(value).__module__ == "numpy":
        return _of_numpy(value, column)
    raise SvcError(
        "The filter on %r compares with a %s. Use a number, text, bytes, date, time, Decimal or UUID."
        % (column, type(value).__name__)
    )


def _of_numpy(value, column):
    if type(value).__name__ == "datetime64":
        text = str(value)
        if text == "NaT":
            raise SvcError("The filter on %r compares with NaT. Only a moment can be compared." % (column,))
        return ("__datetime__:" if "T" in text else "__date__:") + text
    item = value.item()
    if type(item).__module__ == "numpy":
        raise SvcError("The filter on %r compares with a %s, which has no form here." % (column, type(value).__name__))
    return typed(item, column)
