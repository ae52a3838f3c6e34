# @name heading
Markdown(f"## {title}")
