"""Binds external data for a cell: mounts and downloaded files as paths, tables as URIs."""


def bind_outside(namespace, manifest):
    """Bind the manifest's `mounts` and `tables` before anything else is bound."""
    mounts = manifest.get("mounts") or {}
    if mounts:
        import pathlib

        for name, mount in mounts.items():
            namespace[name] = pathlib.Path(mount["local_path"])
    for name, table in (manifest.get("tables") or {}).items():
        namespace[name] = table["uri"]
        snapshot = table["snapshot_id"]
        # Ids beyond 2**53 are passed as strings, since JSON numbers would lose digits.
        namespace[name + "_snapshot"] = int(snapshot) if isinstance(snapshot, str) else snapshot
