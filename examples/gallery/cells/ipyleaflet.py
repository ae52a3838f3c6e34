# @name ipyleaflet
import ipyleaflet

ipyleaflet.Map(center=(48.1, 11.6), zoom=5)
