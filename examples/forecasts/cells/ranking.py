# @name ranking
# Not a @per_variant cell: it sees all results, by the name of their variant.
rows = "\n".join(f"| {method} | {off} | {worst[method]} |" for method, off in sorted(miss.items(), key=lambda item: item[1]))
Markdown(f"| forecast | off by | worst year |\n|---|---:|---:|\n{rows}")
