# @name geopandas
import geopandas as gpd
from shapely import Point

towns = gpd.GeoDataFrame(
    {"town": ["Munich", "Berlin", "Hamburg"], "people": [1.5, 3.7, 1.9]},
    geometry=[Point(11.6, 48.1), Point(13.4, 52.5), Point(10.0, 53.6)],
    crs="EPSG:4326",
)
towns.explore("people", height=300, marker_kwds={"radius": 9})
