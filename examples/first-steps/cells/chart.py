# @name chart
# A picture without a library: one bar a decade, from the smoothed series.
decades = [year for year in years if year % 10 == 0]
bars = "\n".join(f"| {year} | {smooth[year]:>5} | {'█' * round(smooth[year] / 4)} |" for year in decades)
Markdown(f"| year | spots | |\n|---|---:|---|\n{bars}")
