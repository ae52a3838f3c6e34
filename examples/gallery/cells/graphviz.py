# @name graphviz
import graphviz

graphviz.Digraph("steps", body=["load -> clean -> train -> score", "clean -> score"])
