/* Leaflet without a network: draws its own marker, requests no tiles, and provides the icons that folium names. */
(() => {
  const { L } = window;
  const pin = (color) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="26" height="38" viewBox="0 0 26 38"><path d="M13 1C6 1 1 6 1 13c0 8 12 24 12 24s12-16 12-24C25 6 20 1 13 1z" fill="${color}" stroke="#fff" stroke-width="1.5"/><circle cx="13" cy="13" r="5" fill="#fff"/></svg>`;
  const address = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  const shape = { iconSize: [26, 38], iconAnchor: [13, 37], popupAnchor: [0, -34], tooltipAnchor: [12, -24] };

  L.Icon.Default.imagePath = '';
  L.Icon.Default.prototype._getIconUrl = (name) => (name === 'icon' ? address(pin('#2a81cb')) : '');
  L.Icon.Default.mergeOptions({ ...shape, shadowUrl: '', shadowSize: [0, 0] });

  const COLORS = {
    red: '#d63e2a',
    darkred: '#a13336',
    lightred: '#ff8e7f',
    beige: '#ffca92',
    orange: '#f69730',
    green: '#72b026',
    darkgreen: '#728224',
    lightgreen: '#bbf970',
    blue: '#38aadd',
    darkblue: '#00649f',
    lightblue: '#8adaff',
    purple: '#d252b9',
    darkpurple: '#5b396b',
    pink: '#ff91ea',
    cadetblue: '#436978',
    white: '#f0f0f0',
    gray: '#575757',
    lightgray: '#a3a3a3',
    black: '#303030',
  };
  const colored = ({ markerColor }) =>
    L.divIcon({ ...shape, className: 'cellar-pin', html: pin(COLORS[markerColor] ?? '#38aadd') });
  L.AwesomeMarkers = { icon: colored, Icon: L.DivIcon };

  /** Coasts and borders as lines: the arcs of a TopoJSON, whose points are relative to the previous point. */
  const outlines = ({ arcs, transform: { scale, translate } }) =>
    arcs.map((arc) => {
      let [x, y] = [0, 0];
      return arc.map(([dx, dy]) => {
        x += dx;
        y += dy;
        return [y * scale[1] + translate[1], x * scale[0] + translate[0]];
      });
    });
  const outlined = new WeakSet();
  const addWorld = async (map) => {
    if (outlined.has(map) || map.options.crs !== L.CRS.EPSG3857) return;
    outlined.add(map);
    const world =
      window.cellarWorld ??
      (await window
        .cellarWant?.('https://cdn.plot.ly/un/world_50m.json')
        .then((answer) => answer && JSON.parse(answer.text)));
    if (!world) return;
    const renderer = L.canvas({ pane: 'tilePane' });
    const style = {
      renderer,
      pane: 'tilePane',
      interactive: false,
      color: '#8a94a3',
      weight: 1,
      opacity: 0.8,
    };
    L.polyline(outlines(world), style).addTo(map);
  };

  L.TileLayer.include({
    createTile() {
      void addWorld(this._map);
      window.cellarLacks?.(this._url.replace(/\{[sr]\}\.?/g, '').split('{')[0]);
      return document.createElement('div');
    },
  });
  const style = document.createElement('style');
  style.textContent =
    '.leaflet-container.leaflet-container{background:#eef1f5}.cellar-pin{background:none;border:0}' +
    '[data-cellar-scheme=dark]{color-scheme:dark}[data-cellar-scheme=dark] .leaflet-container.leaflet-container{background:#3f464f}';
  document.head.append(style);
})();
