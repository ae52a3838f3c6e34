"""Strict comparison of dtypes, indexes and labels of pandas values, and the parts of them that Arrow drops.

pandas treats two indexes as equal even if their levels, frequencies, time zones or classes differ. A cell can see all
of these, so they are compared here. One exception: levels and categories that are a range count as equal to a plain
index of the same integers, because pandas itself converts between the two.
"""

from .arrow_meta import Refused

# Level values are stored in the schema's metadata, which every reader parses.
_MOST_VALUES = 100_000


def same_objects(one, two):
    """Whether two values are equal in value and class, recursively; missing floats count as equal."""
    if type(one) is not type(two):
        return False
    if type(one) in (list, tuple):
        return len(one) == len(two) and all(map(same_objects, one, two))
    if type(one) is dict:
        return list(one) == list(two) and all(map(same_objects, one.values(), two.values()))
    # The string of a pandas timestamp does not show its unit, and that of a time does not show its fold.
    return repr(one) == repr(two) and all(
        getattr(one, name, None) == getattr(two, name, None) for name in ("unit", "fold")
    )


def same_dtype(one, two):
    import pandas as pd

    if type(one) is not type(two) or one != two or str(one) != str(two):
        return False
    if isinstance(one, pd.CategoricalDtype):
        return one.ordered == two.ordered and same_labels(one.categories, two.categories, part=True)
    if isinstance(one, pd.DatetimeTZDtype):
        return type(one.tz) is type(two.tz)
    if isinstance(one, pd.IntervalDtype):
        return same_dtype(one.subtype, two.subtype)
    return True


def same_labels(one, two, part=False):
    """Whether two indexes look the same to a cell. `part`: they are levels or categories."""
    import pandas as pd

    if not same_shape(one, two, part) or len(one) != len(two):
        return False
    if isinstance(one, pd.MultiIndex):
        return all(same_labels(a, b, part=True) for a, b in zip(one.levels, two.levels)) and all(
            list(a) == list(b) for a, b in zip(one.codes, two.codes)
        )
    if getattr(one, "freq", None) != getattr(two, "freq", None) and not part:
        return False
    return same_objects(list(one), list(two)) if one.dtype == object else one.equals(two)


def same_shape(one, two, part=False):
    """Whether two indexes are equal except for their length and values."""
    import pandas as pd

    kinds = {type(one), type(two)}
    if len(kinds) > 1 and not (part and kinds == {pd.Index, pd.RangeIndex}):
        return False
    if not same_objects(list(one.names), list(two.names)):
        return False
    if isinstance(one, pd.MultiIndex):
        return one.nlevels == two.nlevels and all(map(same_dtype, one.dtypes, two.dtypes))
    return same_dtype(one.dtype, two.dtype)


# Frequencies


def freq_text(index):
    """String from which pandas creates the index's frequency, or None; raises Refused if no string does."""
    import pandas as pd

    freq = getattr(index, "freq", None)
    if freq is None or isinstance(index, pd.PeriodIndex):
        return None
    text = index.freqstr
    try:
        same = pd.tseries.frequencies.to_offset(text) == freq
    except ValueError:
        same = False
    if not same:
        raise Refused("frequency %s" % text)
    return text


def is_utc(dtype):
    """Whether the zone is `datetime.timezone.utc`, which Arrow reads back as another class."""
    import datetime

    import pandas as pd

    return isinstance(dtype, pd.DatetimeTZDtype) and dtype.tz is datetime.timezone.utc


# Levels of a MultiIndex


def level_notes(index):
    """What reading must restore for each level, or None if all levels round-trip; raises Refused."""
    notes = [_level_note(level, codes) for level, codes in zip(index.levels, index.codes)]
    return notes if any(notes) else None


def _level_note(level, codes):
    import pandas as pd

    note = {}
    freq = freq_text(level)
    if isinstance(level, pd.CategoricalIndex):
        if list(level.codes) != list(range(len(level.categories))):
            raise Refused("a level of categories in another order")
    elif not _is_rebuilt(level, codes):
        note = values_note(level)
    if freq is not None:
        note["freq"] = freq
    if is_utc(level.dtype):
        note["utc"] = True
    return note


def _is_rebuilt(level, codes):
    """Whether sorting the values that occur, as pandas does when reading, results in exactly this level."""
    import numpy as np

    if not (level.is_monotonic_increasing and level.is_unique) or level.hasnans:
        return False
    used = np.zeros(len(level) + 1, dtype=bool)
    used[np.asarray(codes)] = True  # -1, a missing value, marks the last position, which no level uses
    return bool(used[:-1].all())


def values_note(level):
    """A level of strings or integers as JSON; raises Refused for others."""
    values = level.tolist()
    if len(values) > _MOST_VALUES or set(map(type, values)) - {str} and set(map(type, values)) - {int}:
        raise Refused("levels that are not in order, or values that do not occur")
    note = {"values": values, "dtype": str(level.dtype)}
    try:
        back = level_from(note, level.name)
    except Exception as error:
        raise Refused(str(error)) from error
    if not same_labels(level, back, part=True):
        raise Refused("a level of %s" % level.dtype)
    return note


def level_from(note, name):
    import pandas as pd

    return pd.Index(note["values"], dtype=note["dtype"], name=name)


def with_levels(index, notes):
    """The index with its levels restored from `level_notes`."""
    import datetime

    import numpy as np
    import pandas as pd

    levels, codes = [], []
    for level, code, note in zip(index.levels, index.codes, notes):
        restored = level_from(note, level.name) if "values" in note else level
        if note.get("utc"):
            restored = restored.tz_convert(datetime.timezone.utc)
        if note.get("freq") is not None:
            restored = restored.copy()
            restored.freq = note["freq"]
        # -1, a missing value, selects the element added at the end
        codes.append(np.append(restored.get_indexer(level), -1)[np.asarray(code)])
        levels.append(restored)
    return pd.MultiIndex(levels=levels, codes=codes, names=index.names, verify_integrity=False)


# Column labels


def column_labels(columns):
    """JSON of the labels that pandas' own metadata does not preserve; raises Refused."""
    import pandas as pd

    if isinstance(columns, pd.MultiIndex):
        levels = [values_note(level) for level in columns.levels]
        if not set(map(type, columns.names)) <= {str, int, type(None)}:
            raise Refused("names of column levels")
        codes = [list(map(int, code)) for code in columns.codes]
        return {"levels": levels, "codes": codes, "names": list(columns.names)}
    freq = freq_text(columns)
    if freq is None:
        raise Refused("column labels")
    return {"freq": freq}


def labels_from(labels, columns):
    """The labels as read, with the result of `column_labels` applied."""
    import pandas as pd

    if "levels" in labels:
        levels = [level_from(note, None) for note in labels["levels"]]
        return pd.MultiIndex(levels=levels, codes=labels["codes"], names=labels["names"], verify_integrity=False)
    columns = columns.copy()
    columns.freq = labels["freq"]
    return columns
