/**
 * The lines of a console log in a scrolling box; of a long log, only the lines near the visible part are in the page.
 */

import { Fragment, memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CONSOLE_WORDS } from '../../words/console.ts';
import { countText } from '../../words/strings.ts';
import { ConsoleLine } from './ConsoleLine.tsx';
import type { ConsoleLog } from './consoleLog.ts';
import type { Starts } from './lineWindow.ts';
import { ALL_LINES, ROW_HEIGHT, rowStarts, windowOf } from './lineWindow.ts';

/** If the view is closer to the end than this, in CSS px, it follows the end. */
const NEAR_END = 24;

/** A line to scroll to, for a search; each request is a new object. */
export interface LineRequest {
  /** The line's number, counted from the first line ever read. */
  readonly line: number;
}

/**
 * The lines of a log in a scrolling box. It follows the end while the log grows unless the person scrolled up; of a
 * long log, only the lines in and near the visible part are in the page.
 */
export const ConsoleLines = memo(function ConsoleLines(props: {
  log: ConsoleLog;
  /** Changes with every change of the log. */
  version: number;
  label: string;
  stream: string;
  wrap: boolean;
  needle: string;
  request: LineRequest | null;
  /** Whether the view begins at the end; false for a text that is read from its beginning. */
  fromEnd?: boolean;
}) {
  const { log, version, wrap, needle, request, fromEnd = true } = props;
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(fromEnd);
  const lastDrawing = useRef<{ trimmed: number } | null>(null);
  /** The scroll position while a person reads in a long log; unused while the end is followed. */
  const [top, setTop] = useState<number | null>(fromEnd ? null : 0);
  const { count, trimmed } = log;
  const long = count > ALL_LINES;
  const size = useSize(box, long || wrap);
  const starts: Starts = long && wrap ? rowStarts(count, (at) => log.width(at), columnsIn(size.width)) : null;
  const range = windowOf(count, starts, { top: follows.current ? null : top, height: size.height });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version means that the log may have grown
  useLayoutEffect(() => {
    const before = lastDrawing.current;
    lastDrawing.current = { trimmed };
    // Only growth is followed: reading the height of a finished console would lay out the whole page.
    // For a long one the end is drawn, whatever the scroll position.
    if (box.current === null || (before === null && !long)) return;
    if (follows.current) {
      box.current.scrollTop = box.current.scrollHeight;
      return;
    }
    if (before !== null && trimmed > before.trimmed)
      box.current.scrollTop -= (trimmed - before.trimmed) * ROW_HEIGHT;
    // The scroll position differs from the lines just drawn: draw the lines there before the frame.
    if (long) setTop(box.current.scrollTop);
    // Depends on the rows too: the log may have grown by the time another change draws it, and the box must keep up.
  }, [version, trimmed, range.rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once, not again when lines arrive
  useLayoutEffect(() => {
    if (request === null || box.current === null) return;
    const index = request.line - trimmed;
    follows.current = false;
    const row = starts === null ? index : (starts[index] ?? 0);
    box.current.scrollTop = Math.max(0, row * ROW_HEIGHT - box.current.clientHeight / 2);
    setTop(box.current.scrollTop);
  }, [request]);

  return (
    <div
      className={`console-box${wrap ? ' console-wrap' : ''}`}
      ref={box}
      // Scrollable regions must be reachable by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={props.label}
      data-stream={props.stream}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
        if (long) setTop(follows.current ? null : scrollTop);
      }}
    >
      {log.leftOut > 0 ? (
        <div className="console-left-out">{CONSOLE_WORDS.leftOut(countText(log.leftOut))}</div>
      ) : null}
      <div
        style={long ? { height: range.rows * ROW_HEIGHT, paddingTop: range.before * ROW_HEIGHT } : undefined}
      >
        <pre className="console-text">
          {Array.from({ length: range.end - range.first }, (_none, at) => {
            const number = range.first + at + trimmed;
            return (
              <Fragment key={number}>
                <ConsoleLine
                  line={log.line(range.first + at)}
                  needle={needle}
                  current={request?.line === number}
                />
                {'\n'}
              </Fragment>
            );
          })}
        </pre>
      </div>
    </div>
  );
});

/** The inner size of the box, observed while `wanted`. */
function useSize(box: React.RefObject<HTMLDivElement | null>, wanted: boolean) {
  const [size, setSize] = useState({ width: 800, height: 420 });
  useEffect(() => {
    const element = box.current;
    if (!wanted || element === null) return;
    const observer = new ResizeObserver(() => {
      setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, wanted]);
  return size;
}

let characterWidth: number | null = null;

/** Characters per row of the box: the font is monospaced, the box has 14 px of padding at each side. */
function columnsIn(width: number): number {
  if (characterWidth === null) {
    const drawing = document.createElement('canvas').getContext('2d');
    if (drawing !== null) drawing.font = '12px "JetBrains Mono Variable", monospace';
    characterWidth = drawing?.measureText('0').width ?? 7.2;
  }
  return Math.max(10, Math.floor((width - 28) / characterWidth));
}
