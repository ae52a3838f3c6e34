"""What a cell finds of the world outside its notebook: mounts and fetched files as paths, tables as addresses."""


def bind_outside(namespace, manifest):
    """Binds the manifest's `mounts` and `tables` (outside-data) before anything else gets a name."""
    mounts = manifest.get("mounts") or {}
    if mounts:
        import pathlib

        for name, mount in mounts.items():
            namespace[name] = pathlib.Path(mount["local_path"])
    for name, table in (manifest.get("tables") or {}).items():
        namespace[name] = table["uri"]
        snapshot = table["snapshot_id"]
        # Ids beyond 2**53 come as digits, since JSON numbers lose them on the way.
        namespace[name + "_snapshot"] = int(snapshot) if isinstance(snapshot, str) else snapshot
