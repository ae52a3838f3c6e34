# @name pydeck
import pydeck as pdk

pdk.Deck(
    [pdk.Layer("ScatterplotLayer", [{"at": [11.6, 48.1]}, {"at": [13.4, 52.5]}], get_position="at", get_radius=40000)],
    initial_view_state=pdk.ViewState(latitude=50, longitude=12, zoom=5),
    height=320,
    map_provider=None,
)
