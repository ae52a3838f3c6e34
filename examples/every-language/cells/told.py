# @name told
Markdown(f"> {summary.strip()}\n>\n> (a model, of {sum(one['birds'] for one in facts.values())} birds)")
