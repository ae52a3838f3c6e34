# @name told
Markdown(f"**{verdict['busiest']}** is the busiest day; {verdict['mean']:.0f} people come on an average one.")
