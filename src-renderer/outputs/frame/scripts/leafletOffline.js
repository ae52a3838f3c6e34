/* Leaflet without a network: its marker drawn here, no tiles asked for, and the icons that folium names. */
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
    red: '#d63e2a', darkred: '#a13336', lightred: '#ff8e7f', beige: '#ffca92', orange: '#f69730', green: '#72b026',
    darkgreen: '#728224', lightgreen: '#bbf970', blue: '#38aadd', darkblue: '#00649f', lightblue: '#8adaff',
    purple: '#d252b9', darkpurple: '#5b396b', pink: '#ff91ea', cadetblue: '#436978', white: '#f0f0f0', gray: '#575757',
    lightgray: '#a3a3a3', black: '#303030',
  };
  const colored = ({ markerColor }) =>
    L.divIcon({ ...shape, className: 'cellar-pin', html: pin(COLORS[markerColor] ?? '#38aadd') });
  L.AwesomeMarkers = { icon: colored, Icon: L.DivIcon };

  L.TileLayer.include({
    createTile() {
      window.cellarLacks?.(this._url.replace(/\{[sr]\}\.?/g, '').split('{')[0]);
      return document.createElement('div');
    },
  });
  const style = document.createElement('style');
  style.textContent =
    '.leaflet-container{background:color-mix(in srgb,currentColor 6%,transparent);font:inherit}.cellar-pin{background:none;border:0}';
  document.head.append(style);
})();
