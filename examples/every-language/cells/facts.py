# @name facts
rows = fitted.to_pylist()
facts = {
    kind: {
        "birds": len(of_kind),
        "mean mass in g": round(sum(row["mass_g"] for row in of_kind) / len(of_kind)),
        "longest flipper in mm": max(row["flipper_mm"] for row in of_kind),
    }
    for kind in kinds
    if (of_kind := [row for row in rows if row["species"] == kind])
}
facts
