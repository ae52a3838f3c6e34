/**
 * Draws Mermaid diagrams. A diagram is rendered at the strict security level and then shown as an image of its SVG,
 * so that its text cannot run scripts, load resources or receive clicks.
 */

import mermaid from 'mermaid';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { showDiagramError } from './drawingErrors.ts';

const MAX_CHARACTERS = 20_000;
const KEPT_DRAWINGS = 60;
/** A system font: an image cannot use the page's fonts, and labels must be as wide as they were measured. */
const FONT = 'sans-serif';

const drawings = new Map<string, Promise<string>>();
let shownTheme: string | null = null;
let diagramCount = 0;

function isDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme === 'dark';
}

function withTheme(theme: 'dark' | 'neutral'): void {
  if (shownTheme === theme) return;
  shownTheme = theme;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme,
    fontFamily: FONT,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: MAX_CHARACTERS,
    maxEdges: 400,
    suppressErrorRendering: true,
    logLevel: 'fatal',
    // Settings that a text may not change with `%%{init}%%` or front matter.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'htmlLabels',
      'flowchart',
      'fontFamily',
      'themeCSS',
      'dompurifyConfig',
      'logLevel',
    ],
  });
}

/** The SVG of a diagram's text, cached for each theme. Rejects with a message if the text cannot be parsed. */
function cachedSvg(text: string, theme: 'dark' | 'neutral'): Promise<string> {
  const key = `${theme}\0${text}`;
  const earlier = drawings.get(key);
  if (earlier !== undefined) return earlier;
  withTheme(theme);
  diagramCount += 1;
  const drawing = mermaid.render(`diagram-${diagramCount}`, text).then(({ svg }) => svg);
  drawings.set(key, drawing);
  for (const oldest of drawings.keys()) {
    if (drawings.size <= KEPT_DRAWINGS) break;
    drawings.delete(oldest);
  }
  return drawing;
}

/** Draws the marked diagrams in an element, and draws those again whose theme has changed. */
export async function drawDiagrams(root: Element): Promise<void> {
  const theme = isDark() ? 'dark' : 'neutral';
  for (const place of root.querySelectorAll<HTMLElement>('[data-diagram]')) {
    if (place.dataset['drawn'] === theme) continue;
    const text = place.dataset['text'] ?? place.textContent ?? '';
    place.dataset['text'] = text;
    place.dataset['drawn'] = theme;
    try {
      if (text.length > MAX_CHARACTERS) throw new Error(OUTPUT_WORDS.diagramTooLong);
      const svg = await cachedSvg(text, theme);
      if (place.dataset['drawn'] === theme) place.replaceChildren(pictureOf(svg, text));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const words = OUTPUT_WORDS.diagramWrong(reason.slice(0, 600));
      if (place.dataset['drawn'] === theme) showDiagramError(place, text, words);
    }
  }
}

/** An image of the SVG as a data URL, which the page's policy allows and a copy of the page preserves. */
function pictureOf(svg: string, text: string): HTMLImageElement {
  const image = document.createElement('img');
  const size = /viewBox="[\d.eE+-]+ [\d.eE+-]+ ([\d.eE+-]+) ([\d.eE+-]+)"/.exec(svg);
  const [width, height] = [Number(size?.[1]), Number(size?.[2])];
  if (width > 0 && height > 0) {
    image.width = Math.ceil(width);
    image.height = Math.ceil(height);
  }
  image.alt = OUTPUT_WORDS.diagramOf(text);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standaloneSvg(svg, width, height))}`;
  return image;
}

/** The SVG as a document of its own, which must be XML and have a numeric size. */
function standaloneSvg(svg: string, width: number, height: number): string {
  const holder = document.createElement('template');
  holder.innerHTML = svg;
  const root = holder.content.querySelector('svg');
  if (root === null) throw new Error(OUTPUT_WORDS.diagramEmpty);
  if (width > 0 && height > 0) {
    root.setAttribute('width', String(width));
    root.setAttribute('height', String(height));
  }
  return new XMLSerializer().serializeToString(root);
}
