# @name graphviz
import graphviz

steps = graphviz.Digraph("steps")
for start, end in (("load", "clean"), ("clean", "train"), ("train", "score"), ("clean", "score")):
    steps.edge(start, end)
steps
