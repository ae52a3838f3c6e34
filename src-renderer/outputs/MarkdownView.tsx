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
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by renderMarkdown
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: ready.render(text) }} />;
}
