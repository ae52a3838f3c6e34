# @name networkx
import matplotlib.pyplot as plt
import networkx as nx

friends = nx.karate_club_graph()
plt.figure(figsize=(7, 3.4))
nx.draw_networkx(friends, nx.spring_layout(friends, seed=4), node_size=180, font_size=7)
plt.show()
