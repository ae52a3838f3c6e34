# @name spells
# Runs of days without rain: a new spell begins wherever the answer changes.
dry = weather["precipitation"].eq(0)
spells = (
    weather.assign(dry=dry, spell=dry.ne(dry.shift()).cumsum())
    .loc[dry]
    .groupby("spell")
    .agg(start=("date", "min"), days=("date", "size"))
    .sort_values("days", ascending=False)
    .head(10)
    .reset_index(drop=True)
)
spells
