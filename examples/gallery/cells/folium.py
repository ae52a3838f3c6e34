# @name folium
import folium

sites = folium.Map(location=[48.1, 11.6], zoom_start=5, height=320)
folium.Marker([48.1, 11.6], popup="Munich", tooltip="Munich").add_to(sites)
folium.CircleMarker([52.5, 13.4], radius=12, popup="Berlin").add_to(sites)
sites
