# @name farthest
a, b = max(((a, b) for a in cities for b in cities), key=lambda pair: distance(*pair))
{"from": a.name, "to": b.name, "distance": told(distance(a, b)), "same class": isinstance(a, Place)}
