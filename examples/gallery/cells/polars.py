# @name polars
import polars as pl

pl.from_pandas(months).group_by("city", maintain_order=True).agg(pl.col("degrees").mean().round(2))
