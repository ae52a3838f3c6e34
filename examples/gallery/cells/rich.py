# @name rich
from rich.table import Table

table = Table(title="Means")
table.add_column("City", style="cyan")
table.add_column("Degrees", justify="right", style="bold green")
for city, mean in months.groupby("city").degrees.mean().items():
    table.add_row(city, f"{mean:.1f}")
table
