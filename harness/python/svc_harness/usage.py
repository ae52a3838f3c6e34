"""CPU time and memory of a run, as measured by the operating system."""

import sys

try:
    import resource
except ImportError:  # Windows has no such counters
    resource = None


def cpu_seconds():
    """CPU time of this process and its ended children so far; None if not available."""
    if resource is None:
        return None
    parts = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def usage_since(cpu_before):
    """The `usage` of a result (harness/CONTRACT.md), or None. `cpu_before`: `cpu_seconds()` at the start."""
    if cpu_before is None:
        return None
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = max(
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,
    )
    return {"cpu_seconds": round(max(0.0, cpu_seconds() - cpu_before), 6), "peak_bytes": peak * unit}
