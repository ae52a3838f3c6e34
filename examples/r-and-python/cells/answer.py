# @name answer
tallest = max(fitted["expected_m"].to_pylist())
print(f"A centimetre more of girth makes {slope * 100:.0f} cm of height; the tallest tree should have {tallest:.1f} m.")
