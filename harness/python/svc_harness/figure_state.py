"""State of a Matplotlib figure: what is drawn on it, without the values computed by drawing it."""

import sys

_MAX_ARTISTS = 5000
# Properties of a plot; each is read from the artists that have it.
_GETTERS = (
    "get_visible",
    "get_label",
    "get_alpha",
    "get_zorder",
    "get_color",
    "get_facecolor",
    "get_edgecolor",
    "get_linestyle",
    "get_linewidth",
    "get_marker",
    "get_xydata",
    "get_offsets",
    "get_array",
    "get_text",
    "get_fontsize",
    "get_xlabel",
    "get_ylabel",
    "get_xscale",
    "get_yscale",
    "get_aspect",
    "get_dpi",
    "get_size_inches",
)
# Drawing adjusts these to the shape of the axes if an aspect is set.
_LIMITS = ("get_xlim", "get_ylim")


def is_artist_class(kind):
    artists = sys.modules.get("matplotlib.artist")
    return artists is not None and issubclass(kind, artists.Artist)


def reduce_artist(item, _held):
    """For the picklers of content_digest: reduces an artist to the state of its whole figure."""
    from .content_digest import token

    figure = getattr(item, "figure", None)
    return (token, tuple(_shown(item if figure is None else figure)))


def _shown(root):
    """A flat list: the artists in order, each with its properties."""
    parts = []
    level = [root]
    count = 0
    while level and count < _MAX_ARTISTS:
        artist = level.pop()
        count += 1
        parts.append(type(artist).__name__)
        parts.extend(_answers(artist))
        # Drawing creates ticks and moves spines.
        children = [child for child in artist.get_children() if type(child).__name__ not in ("XAxis", "YAxis", "Spine")]
        level.extend(reversed(children))
    return parts


def _answers(artist):
    for name in _GETTERS:
        yield _answer(artist, name)
    if getattr(artist, "get_aspect", None) is not None and _answer(artist, "get_aspect") == "auto":
        for name in _LIMITS:
            yield _answer(artist, name)
    for axis in (getattr(artist, "xaxis", None), getattr(artist, "yaxis", None)):
        locator = getattr(axis, "major", None) and axis.major.locator
        if locator is not None:
            fixed = getattr(locator, "locs", None)  # explicitly set ticks; others follow from the limits
            yield "%s %s %s" % (type(locator).__name__, fixed, getattr(axis, "_major_tick_kw", None))
    yield _path(artist)


def _answer(artist, name):
    getter = getattr(type(artist), name, None)
    if getter is None:
        return None
    try:
        value = getter(artist)
    except Exception:
        return None  # only available after drawing
    return "%s %s" % (value.shape, hash(value.tobytes())) if hasattr(value, "tobytes") else str(value)


def _path(artist):
    patches = sys.modules.get("matplotlib.patches")
    # Boxes around texts and legends get their size when they are drawn.
    if patches is None or not isinstance(artist, patches.Patch) or "Box" in type(artist).__name__:
        return None
    try:
        vertices = artist.get_patch_transform().transform_path(artist.get_path()).vertices
    except Exception:
        return None
    return hash(vertices.tobytes())
