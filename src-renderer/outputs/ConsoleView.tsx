import { memo, useLayoutEffect, useMemo, useRef } from 'react';
import type { ConsoleText } from '../state/consoleText.ts';
import { countText, WORDS } from '../ui/strings.ts';
import type { Line } from './terminalText.ts';
import { TerminalText } from './terminalText.ts';

/** Lines drawn as one block: a block that did not change is not drawn again. */
const BLOCK = 200;

interface Parsed {
  readonly terminal: TerminalText;
  readonly epoch: number;
  /** Characters of the stream before the first one parsed. */
  readonly from: number;
  total: number;
  /** Immutable snapshots of BLOCK lines each. */
  blocks: readonly (readonly Line[])[];
}

/** One stream of a cell's console, following its end while it grows unless the person scrolled up. */
export function ConsoleView({ console, stream }: { console: ConsoleText; stream: 'stdout' | 'stderr' }) {
  const { blocks, from } = useParsed(console);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const shownBefore = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new total is what there is to follow
  useLayoutEffect(() => {
    // Only what grows is followed: asking a finished console for its height would lay out the whole page.
    if (shownBefore.current && follows.current && box.current !== null) {
      box.current.scrollTop = box.current.scrollHeight;
    }
    shownBefore.current = true;
  }, [console.total]);
  if (console.total === 0) return null;
  return (
    <div
      className={`console console-${stream}${blocks.length > 1 ? ' console-long' : ''}`}
      ref={box}
      // Scrollable regions must be reachable by key.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={stream === 'stderr' ? WORDS.stderr : WORDS.stdout}
      data-stream={stream}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        follows.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {from > 0 ? <div className="console-left-out">{WORDS.earlierLeftOut(countText(from))}</div> : null}
      {blocks.map((lines, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place
        <Block key={index} lines={lines} last={index === blocks.length - 1} />
      ))}
    </div>
  );
}

/** How much more than the kept text may stay parsed before it is parsed anew. */
const SLACK = 64 * 1024;

/**
 * Parses only what is new while the text grows. A cleared or replaced stream starts over, and so does one of which
 * much has been left out meanwhile: what is drawn stays within CONSOLE_LIMIT + SLACK.
 */
function useParsed(console: ConsoleText): { blocks: Parsed['blocks']; from: number } {
  const kept = useRef<Parsed | null>(null);
  return useMemo(() => {
    let parsed = kept.current;
    const goesOn =
      parsed !== null &&
      parsed.epoch === console.epoch &&
      parsed.total <= console.total &&
      console.dropped - parsed.from <= SLACK &&
      console.dropped <= parsed.total;
    if (parsed === null || !goesOn) {
      const from = console.dropped;
      parsed = { terminal: new TerminalText(), epoch: console.epoch, from, total: from, blocks: [] };
      kept.current = parsed;
    }
    parsed.terminal.feed(console.text.slice(console.text.length - (console.total - parsed.total)));
    parsed.total = console.total;
    const firstDirty = Math.floor(parsed.terminal.takeDirty() / BLOCK);
    const blocks = parsed.blocks.slice(0, firstDirty);
    for (let at = firstDirty * BLOCK; at < parsed.terminal.lines.length; at += BLOCK) {
      blocks.push(parsed.terminal.lines.slice(at, at + BLOCK).map((line) => [...line]));
    }
    parsed.blocks = blocks;
    return { blocks, from: parsed.from };
  }, [console]);
}

/** Long consoles stay light: a block out of sight is not laid out, and its height is known exactly. */
const Block = memo(function Block({ lines, last }: { lines: readonly Line[]; last: boolean }) {
  return (
    <pre className="console-block" style={{ containIntrinsicSize: `auto ${lines.length * 18}px` }}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <ConsoleLine key={index} line={line} end={last && index === lines.length - 1 ? '' : '\n'} />
      ))}
    </pre>
  );
});

function ConsoleLine({ line, end }: { line: Line; end: string }) {
  return (
    <>
      {line.map((run, index) =>
        run.classes === '' && run.color === null && run.background === null ? (
          run.text
        ) : (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place
            key={index}
            className={run.classes}
            style={{
              ...(run.color === null ? {} : { color: `rgb(${run.color})` }),
              ...(run.background === null ? {} : { backgroundColor: `rgb(${run.background})` }),
            }}
          >
            {run.text}
          </span>
        ),
      )}
      {end}
    </>
  );
}
