# @name ipycytoscape
import ipycytoscape

graph_widget = ipycytoscape.CytoscapeWidget()
graph_widget.graph.add_graph_from_json({"nodes": [{"data": {"id": "a"}}, {"data": {"id": "b"}}], "edges": []})
graph_widget
