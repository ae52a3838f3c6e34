import { useLayoutEffect, useRef, useState } from 'react';
import { onThemeChange, scheme } from '../theme/theme.ts';
import { WORDS } from '../words/strings.ts';

/**
 * Active output (HTML, SVG) in a frame of its own: opaque origin (`allow-scripts` and nothing else), no network
 * by its own policy, and it speaks to this page only by two messages, `ready` and `height`.
 * A srcdoc would inherit this page's script policy and no output could run, hence a document of its own.
 */
export function FrameView({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(40);
  // Before the frame can say that it is ready, which it says once.
  useLayoutEffect(() => {
    const post = (message: object): void => frame.current?.contentWindow?.postMessage(message, '*');
    const listen = (event: MessageEvent<unknown>): void => {
      if (frame.current === null || event.source !== frame.current.contentWindow) return;
      const data = event.data;
      if (typeof data !== 'object' || data === null || !('kind' in data)) return;
      if (data.kind === 'ready') post({ kind: 'show', html, theme: frameTheme() });
      if (data.kind === 'height' && 'px' in data && typeof data.px === 'number' && Number.isFinite(data.px)) {
        setHeight(Math.min(Math.max(data.px, 8), 20_000));
      }
    };
    window.addEventListener('message', listen);
    const stop = onThemeChange(() => post({ kind: 'theme', theme: frameTheme() }));
    return () => {
      window.removeEventListener('message', listen);
      stop();
    };
  }, [html]);
  return (
    <iframe
      key={html}
      ref={frame}
      className="output-frame"
      title={WORDS.outputFrame}
      sandbox="allow-scripts"
      src="./outputFrame.html"
      style={{ height }}
    />
  );
}

function frameTheme() {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    scheme: scheme(),
    ink: token('--ink'),
    quiet: token('--ink-2'),
    line: token('--line'),
    soft: token('--line-soft'),
    accent: token('--accent'),
    font: `13px/1.5 ${token('--font-ui')}`,
  };
}
