import { useEffect, useState } from 'react';

type Render = (text: string) => string;
let render: Render | null = null;
let loading: Promise<Render> | null = null;

/** The renderer comes in its own chunk, after the first paint. */
function loadRender(): Promise<Render> {
  loading ??= import('./markdown.ts').then((module) => {
    render = module.renderMarkdown;
    return render;
  });
  return loading;
}

/** Markdown as rich text; the plain text stands until the renderer is there, and where it cannot be loaded. */
export function MarkdownView({ text }: { text: string }) {
  const [ready, setReady] = useState<{ render: Render } | null>(render === null ? null : { render });
  useEffect(() => {
    if (ready !== null) return;
    let gone = false;
    loadRender().then(
      (loaded) => {
        if (!gone) setReady({ render: loaded });
      },
      (error: unknown) => console.error('the Markdown renderer did not load', error),
    );
    return () => {
      gone = true;
    };
  }, [ready]);
  if (ready === null) return <div className="markdown markdown-plain">{text}</div>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div
      className="markdown"
      onClick={goToHeading}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by renderMarkdown
      dangerouslySetInnerHTML={{ __html: ready.render(text) }}
    />
  );
}

/** A link to `#some-heading` goes to that heading of the notebook; the page's own address stays. */
function goToHeading(event: React.MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (link === null) return;
  event.preventDefault();
  const wanted = decodeURIComponent(link.getAttribute('href')?.slice(1) ?? '').toLowerCase();
  const headings = document.querySelectorAll('.markdown :is(h1, h2, h3, h4, h5, h6)');
  const heading = [...headings].find((one) => slugOf(one.textContent ?? '') === wanted);
  heading?.scrollIntoView({ block: 'start' });
}

/** "Rides by day!" is `rides-by-day`, as on the sites people write such links for. */
function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s+/g, '-');
}
