/** The highlighted source of a cell that is not being edited, with line numbers and the marks of its faults. */

import {
  Fragment,
  memo,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { codeFont, highContrast, onThemeChange, reducedMotion, scheme } from '../theme/theme.ts';
import { useNearViewport } from '../ui/useNearViewport.ts';
import type { EditorFault } from './editorFault.ts';
import { withoutFinalBreak } from './finalBreak.ts';
import { highlight } from './highlight.ts';

/**
 * A cell's source as text. It is always in the page (find, print and screen readers work), highlighted once it is near
 * the viewport. It has the same metrics as the live editor, so that nothing moves when one replaces the other.
 */
export const StaticCode = memo(function StaticCode(props: {
  source: string;
  /** Monaco's id of the language, from `editorLanguage`. */
  language: string;
  markedLine: number | null;
  placeholder: string;
  /**
   * Whether long lines can be scrolled, by the pointer and, once focused, by the arrow keys. True for the focused
   * cell only: as a tab stop in every cell it would make the notebook slow to tab through.
   */
  scrolls: boolean;
  /** The accessible name of the text, used where it is focusable. */
  label: string;
  /** The faults to mark on their lines. */
  faults: readonly EditorFault[];
}) {
  const { language, markedLine, placeholder, scrolls, label, faults } = props;
  const source = withoutFinalBreak(props.source);
  const focusable = scrolls ? { tabIndex: 0, role: 'group', 'aria-label': label } : {};
  // A text that ends with several line breaks has an empty last line, which the live editor shows too.
  const classes = ['code-text', scrolls ? 'code-scrolls' : '', source.endsWith('\n') ? 'code-last-empty' : '']
    .filter((name) => name !== '')
    .join(' ');
  const [ref, near] = useNearViewport<HTMLDivElement>();
  const html = useHighlighted(source, language, near);
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
      <FaultMarks source={source} faults={faults} />
      <LineNumbers source={source} />
      {source === '' ? (
        <pre className="code-text code-empty">{placeholder}</pre>
      ) : html === null ? (
        <pre className={classes} {...focusable}>
          {source}
        </pre>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the editor's own escaped tokens
        <pre className={classes} {...focusable} dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </div>
  );
});

/** Line numbers, if the person wants them. They are not part of the text that is read aloud, copied or searched. */
function LineNumbers({ source }: { source: string }) {
  const isShown = useSyncExternalStore(onThemeChange, () => codeFont().lines);
  const count = useMemo(() => source.split('\n').length, [source]);
  if (!isShown) return null;
  return <div className="code-lines" aria-hidden="true" data-lines={count} data-text={numbersTo(count)} />;
}

/** The numbers from 1 to `count`, one per line. */
function numbersTo(count: number): string {
  return Array.from({ length: count }, (_, at) => at + 1).join('\n');
}

/** Marks of faults: a line under the text, a dot before it, and the message on hover. */
function FaultMarks({ source, faults }: { source: string; faults: readonly EditorFault[] }) {
  if (faults.length === 0) return null;
  const lines = source.split('\n');
  return faults.map(({ line, severity, message, span }) => {
    const text = lines[line - 1];
    if (text === undefined) return null;
    const { start, end } = span(text);
    const top = `calc(6px + ${line - 1} * var(--code-line))`;
    return (
      <Fragment key={`${line} ${message}`}>
        <span
          className={`code-fault code-fault-${severity}`}
          style={{ top, left: `calc(var(--code-left) + ${start - 1}ch)`, width: `${end - start}ch` }}
        />
        <span
          className={`code-fault-dot code-fault-${severity}`}
          style={{ top: `calc(6px + ${line - 1} * var(--code-line) + var(--code-line) / 2 - 3px)` }}
          title={message}
        />
      </Fragment>
    );
  });
}

/** Highlighted source; null while it is far from the viewport, not highlighted yet, or too large to highlight. */
function useHighlighted(source: string, language: string, near: boolean): string | null {
  const [highlighted, setHighlighted] = useState<Coloured | null>(null);
  const theme = useSyncExternalStore(onThemeChange, themeNow);
  useEffect(() => {
    if (!near || source === '' || source.length > 100_000) return;
    return highlight(source, language, (html) =>
      startTransition(() => setHighlighted({ source, language, theme, html })),
    );
  }, [near, source, language, theme]);
  const isOf =
    highlighted?.source === source && highlighted.language === language && highlighted.theme === theme;
  return isOf ? highlighted.html : null;
}

/** Monaco renumbers its colour classes with every theme, so HTML that was highlighted under another theme is wrong. */
interface Coloured {
  readonly source: string;
  readonly language: string;
  readonly theme: string;
  readonly html: string;
}

const themeNow = (): string => `${scheme()} ${highContrast()}`;
