/**
 * Replaces URLs that outputs would load from a CDN by libraries that are part of the program, because frames have no
 * network.
 */

import type { FrameLibrary } from './frameLibrary.ts';

/** The local replacement of a URL: a bundled library, or nothing for purely decorative files. */
export type LocalReplacement = FrameLibrary | 'nothing';

interface Known {
  readonly as: LocalReplacement;
  /** Matches the name of the package in the URL. */
  readonly name: RegExp;
  /** Major versions that the copy can replace; null means a URL without a version. */
  readonly majors: readonly (number | null)[];
}

const KNOWN: readonly Known[] = [
  {
    as: 'plotly',
    name: /\bplotly(?:\.js(?:-[a-z]+)*(?:-dist)?(?:-min)?)?\b.*\.js$/,
    majors: [null, 1, 2, 3, 4],
  },
  { as: 'vegaEmbed', name: /\bvega-embed\b/, majors: [null, 6, 7] },
  { as: 'vegaLite', name: /\bvega-lite\b/, majors: [null, 5, 6] },
  { as: 'vega', name: /\bvega(?=[@/.])(?!.*\.css$)/, majors: [null, 5, 6] },
  {
    as: 'leafletCss',
    name: /\bleaflet(?:@[\d.]+)?(?:\/[\d.]+)?(?:\/dist)?\/leaflet(?:\.min)?\.css$/,
    majors: [null, 1],
  },
  {
    as: 'leaflet',
    name: /\bleaflet(?:@[\d.]+)?(?:\/[\d.]+)?(?:\/dist)?\/leaflet(?:\.min)?\.js$/,
    majors: [null, 1],
  },
  {
    as: 'jquery',
    name: /\bjquery\b.*\/?jquery(?:-[\d.]+)?(?:\.slim)?(?:\.min)?\.js$|code\.jquery\.com\/jquery-[\d.]+(?:\.slim)?(?:\.min)?\.js$/,
    majors: [null, 2, 3],
  },
  {
    as: 'echarts',
    name: /(?:\becharts(?:@[\d.]+)?(?:\/[\d.]+)?(?:\/dist)?|assets\.pyecharts\.org\/assets(?:\/v\d+)?)\/echarts(?:\.common|\.simple)?(?:\.min)?\.js$/,
    majors: [null, 5, 6],
  },
  { as: 'visCss', name: /\bvis-network\b.*\.css$/, majors: [null, 8, 9] },
  { as: 'visNetwork', name: /\bvis-network\b.*\.js$/, majors: [null, 8, 9] },
  // Styles that the content does not need: icons, fonts, and what the bundled Leaflet draws itself.
  {
    as: 'nothing',
    name: /\bbootstrap\b|font-?awesome|fontawesome|glyphicons|awesome-markers|awesome\.rotate|fonts\.googleapis|cdn\.holoviz\.org\/panel\/.*\.css$/i,
    majors: [],
  },
];

/** The local replacement of a URL that an output's script requests from the network; null if there is none. */
export function replacementFor(address: string): LocalReplacement | null {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const path = decodePath(url);
  const map = /^cdn\.plot\.ly\/(?:un\/)?([a-z-]+_(?:50|110)m)\.json$/.exec(path);
  if (map !== null) return `map ${map[1]}`;
  const match = KNOWN.find(({ name }) => name.test(path));
  if (match === undefined) return null;
  return match.majors.length === 0 || match.majors.includes(majorIn(path)) ? match.as : null;
}

function decodePath(url: URL): string {
  try {
    return `${url.hostname}${decodeURIComponent(url.pathname)}`.toLowerCase();
  } catch {
    return '';
  }
}

/**
 * The major version that a URL names: `vega@6`, `plotly-3.0.1.min.js`, `leaflet/1.9.4/`; null if it names none.
 */
function majorIn(path: string): number | null {
  const version = /[@/-]v?(\d+)(?:\.\d+)*(?=[/.]|$|-)/.exec(path.replace(/^[^/]*/, ''));
  return version === null ? null : Number(version[1]);
}
