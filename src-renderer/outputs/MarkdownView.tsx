/** Shows Markdown text of cells and results as rich text with formulas, diagrams and links to cells. */

import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { toast } from '../ui/toastStore.ts';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { CellPlaces, type GoToCell } from './cellPlaces.ts';
import { enrich } from './enrich.ts';
import type { MarkdownContext } from './markdownValues.ts';

/** Text with so long a word is drawn without kerning: with kerning a browser shapes the word again for every line. */
const LONG_WORD = /\S{1000}/;

type Render = (text: string, docId: string, around: MarkdownContext) => string;
let render: Render | null = null;
let loading: Promise<Render> | null = null;

/** Loads the renderer, which is a chunk of its own, after the first paint. */
function loadRender(): Promise<Render> {
  loading ??= import('./markdown.ts').then((module) => {
    render = module.renderMarkdown;
    return render;
  });
  return loading;
}

const NOTHING: MarkdownContext = {};

/** Markdown as rich text; shows the plain text until the renderer has loaded, or if it fails to load. */
export function MarkdownView({ text, around = NOTHING }: { text: string; around?: MarkdownContext }) {
  const [ready, setReady] = useState<{ render: Render } | null>(render === null ? null : { render });
  useEffect(() => {
    if (ready !== null) return;
    let isGone = false;
    loadRender().then(
      (loaded) => {
        if (!isGone) setReady({ render: loaded });
      },
      (error: unknown) => console.error('the Markdown renderer did not load', error),
    );
    return () => {
      isGone = true;
    };
  }, [ready]);
  const words = useMemo(() => (LONG_WORD.test(text) ? 'markdown long-words' : 'markdown'), [text]);
  if (ready === null) return <div className={`${words} markdown-plain`}>{text}</div>;
  return <RichText text={text} words={words} render={ready.render} around={around} />;
}

function RichText(props: {
  readonly text: string;
  readonly words: string;
  readonly render: Render;
  readonly around: MarkdownContext;
}) {
  const { text, words, render: toHtml, around } = props;
  const docId = useId();
  const root = useRef<HTMLDivElement>(null);
  const goToCell = useContext(CellPlaces);
  // The same object while the text is the same, so that React keeps the DOM with its formulas and diagrams.
  const html = useMemo(() => ({ __html: toHtml(text, docId, around) }), [toHtml, text, docId, around]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML is new content to enrich
  useLayoutEffect(() => (root.current === null ? undefined : enrich(root.current)), [html]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what a person clicks
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div
      ref={root}
      className={words}
      onClick={(event) => follow(event, goToCell)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by renderMarkdown
      dangerouslySetInnerHTML={html}
    />
  );
}

/**
 * Follows a link to `#place` within the notebook, without changing the page's URL. A place is a footnote of the
 * text, a heading by its words, or a cell by its name or id; `#cell:name` is always a cell.
 */
function follow(event: React.MouseEvent, goToCell: GoToCell): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (link === null) return;
  event.preventDefault();
  const place = decodeUrl(link.getAttribute('href')?.slice(1) ?? '');
  const cell = /^cell:(.+)$/.exec(place)?.[1];
  if (cell !== undefined) {
    if (!goToCell(cell)) toast(OUTPUT_WORDS.noSuchPlace(cell));
    return;
  }
  const lowerPlace = place.toLowerCase();
  const note = [...event.currentTarget.querySelectorAll('[id]')].find(({ id }) => id === place);
  const headings = document.querySelectorAll('.markdown :is(h1, h2, h3, h4, h5, h6)');
  const target = note ?? [...headings].find((one) => slugOf(one.textContent ?? '') === lowerPlace);
  if (target !== undefined) {
    target.scrollIntoView({ block: note === undefined ? 'start' : 'center' });
  } else if (!goToCell(place)) toast(OUTPUT_WORDS.noSuchPlace(place));
}

/** The decoded text; unchanged if that fails, as a URL written by hand may contain a lone `%`. */
function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** "Rides by day!" becomes `rides-by-day`, as on GitHub and similar sites. */
function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s+/g, '-');
}
