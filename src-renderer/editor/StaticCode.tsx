import { memo, useEffect, useRef, useState } from 'react';
import type { Language } from '../../src-shared/wire/cell.ts';
import { reducedMotion } from '../theme/theme.ts';
import { useNearViewport } from '../ui/useNearViewport.ts';
import { highlight } from './highlight.ts';
import { EDITOR_LANGUAGE } from './language.ts';

/**
 * A cell's source as text, always in the page (find, print and screen readers work), coloured once it is near the
 * viewport. Same metrics as the live editor, so that nothing moves when one takes the other's place.
 */
export const StaticCode = memo(function StaticCode(props: {
  source: string;
  language: Language;
  markedLine: number | null;
  placeholder: string;
}) {
  const { source, language, markedLine, placeholder } = props;
  const [ref, near] = useNearViewport<HTMLDivElement>();
  const html = useHighlighted(source, EDITOR_LANGUAGE[language], near);
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (markedLine !== null)
      mark.current?.scrollIntoView({ block: 'center', behavior: reducedMotion() ? 'auto' : 'smooth' });
  }, [markedLine]);
  return (
    <div className="code" ref={ref}>
      {markedLine === null ? null : (
        <div
          ref={mark}
          className="code-mark"
          style={{ top: `calc(6px + ${markedLine - 1} * var(--code-line))` }}
          data-line={markedLine}
        />
      )}
      {source === '' ? (
        <pre className="code-text code-empty">{placeholder}</pre>
      ) : html === null ? (
        <pre className="code-text">{source}</pre>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the editor's own escaped tokens
        <pre className="code-text" dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </div>
  );
});

/** Coloured source, or null while it is plain: far away, on its way, or too large to colour. */
function useHighlighted(source: string, language: string, near: boolean): string | null {
  const [done, setDone] = useState<{ source: string; html: string } | null>(null);
  useEffect(() => {
    if (!near || source === '' || source.length > 100_000) return;
    return highlight(source, language, (html) => setDone({ source, html }));
  }, [near, source, language]);
  return done !== null && done.source === source ? done.html : null;
}
