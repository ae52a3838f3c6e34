# @name quiet
# The quietest years, straight from the data: a plain JSON value is shown as a tree.
{"quietest": sorted(years, key=spots.get)[:5], "busiest": sorted(years, key=spots.get)[-5:]}
