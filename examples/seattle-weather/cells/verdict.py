# @name verdict
wet = float((weather["precipitation"] > 0).mean())
wettest = seasons.index[0]
longest = int(spells["days"].max())
Markdown(
    f"**It rains on {wet:.0%} of days**, most of all in {wettest}; "
    f"the longest dry spell lasted {longest} days. "
    f"{checks['gaps']} days are missing from the record."
)
