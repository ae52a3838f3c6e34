# @name pyvis
from pyvis.network import Network

net = Network(height="300px", width="100%", notebook=True, cdn_resources="in_line")
net.add_nodes([1, 2, 3, 4], label=["load", "clean", "train", "score"])
net.add_edges([(1, 2), (2, 3), (2, 4), (3, 4)])
net
