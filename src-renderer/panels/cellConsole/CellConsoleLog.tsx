/** The evaluated expressions of a console inside a cell with their results. */

import { memo, useEffect, useMemo, useRef } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { ConsoleView } from '../../outputs/console/ConsoleView.tsx';
import { ErrorView } from '../../outputs/ErrorView.tsx';
import { OutputView } from '../../outputs/OutputView.tsx';
import type { ConsoleEntry } from '../../state/cellConsole.ts';
import { cellName } from '../../state/cellName.ts';
import { emptyConsole, replaceConsole } from '../../state/consoleText.ts';
import { Notice } from '../../ui/Notice.tsx';
import { CELL_CONSOLE_WORDS } from '../../words/cellConsole.ts';

/**
 * Added to the index of a display, because the route of a cell's displays serves those of its last run under the plain
 * index.
 */
const NOT_THE_CELLS = 2_000_000;

/** The evaluated expressions and their results, oldest first; the newest is scrolled into view. */
export function CellConsoleLog({ id }: { id: string }) {
  const name = useView(({ model }) => cellName(model, id));
  const cellConsole = useView(({ model }) => model.cellConsoles[id]);
  const box = useRef<HTMLDivElement>(null);
  const entries = cellConsole?.entries ?? [];
  const last = entries.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new entry or its answer
  useEffect(() => {
    const newest = box.current?.querySelector<HTMLElement>('.cell-console-entry:last-child');
    // A tall result is shown from its start; the reason why a console closed is at the very end.
    const top =
      cellConsole?.state === 'closed' || newest == null ? box.current?.scrollHeight : newest.offsetTop;
    box.current?.scrollTo({ top: top ?? 0 });
  }, [last?.id, last?.answer, cellConsole?.state]);
  if (cellConsole === undefined) return null;
  return (
    <div
      className="cell-console-log"
      ref={box}
      role="log"
      aria-label={CELL_CONSOLE_WORDS.log(name)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by key
      tabIndex={0}
      data-own-arrows
    >
      <Missing missing={cellConsole.missing} />
      <ol className="cell-console-entries">
        {entries.map((entry) => (
          <Entry key={entry.id} cellId={id} entry={entry} />
        ))}
      </ol>
      {cellConsole.state === 'closed' && cellConsole.note !== null ? (
        <Notice tone="warn">{cellConsole.note}</Notice>
      ) : null}
    </div>
  );
}

function Missing({ missing }: { missing: readonly { name: string; reason: string }[] }) {
  if (missing.length === 0) return null;
  return (
    <details className="cell-console-missing">
      <summary>{CELL_CONSOLE_WORDS.missing(missing.length)}</summary>
      <dl>
        {missing.map(({ name, reason }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const Entry = memo(function Entry({ cellId, entry }: { cellId: string; entry: ConsoleEntry }) {
  const { expr, answer } = entry;
  return (
    <li className="cell-console-entry" data-answered={answer !== null}>
      <pre className="cell-console-expr">{expr}</pre>
      {answer === null ? null : <Answer cellId={cellId} entryId={entry.id} answer={answer} />}
    </li>
  );
});

function Answer(props: { cellId: string; entryId: number; answer: NonNullable<ConsoleEntry['answer']> }) {
  const { cellId, entryId, answer } = props;
  const sessionId = useView((view) => view.sessionId);
  const session = useSession();
  const displays = answer.displays ?? [];
  const { stdout = '', stderr = '' } = answer;
  const value = shownValue(answer);
  return (
    <div className="cell-console-answer">
      <Printed text={stdout} stream="stdout" />
      <Printed text={stderr} stream="stderr" />
      {displays.map((output, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a display is its turn
        <div className="output" key={at}>
          <OutputView
            output={output}
            sessionId={sessionId}
            cellId={cellId}
            index={NOT_THE_CELLS + entryId * 100 + at}
          />
        </div>
      ))}
      {value === null ? null : <pre className="cell-console-value">{value}</pre>}
      {answer.statement === true && displays.length === 0 && stdout === '' && stderr === '' ? (
        <p className="cell-console-quiet">{CELL_CONSOLE_WORDS.noOutput}</p>
      ) : null}
      {answer.ok ? null : (
        <ErrorView
          error={answer.error ?? ''}
          failure={null}
          nameOf={(name) => name}
          onPlace={({ cell, line }) => {
            const { model } = session.store.getState();
            const target = model.order.find((one) => one === cell || cellName(model, one) === cell);
            session.markLine({ cellId: target ?? cellId, line });
          }}
        />
      )}
    </div>
  );
}

/** The result as Python shows it: nothing for None, and nothing beside a table or picture of the same value. */
function shownValue({ ok, result, type, statement, displays }: NonNullable<ConsoleEntry['answer']>) {
  if (!ok || result === undefined || statement === true || type === 'NoneType') return null;
  return (displays?.length ?? 0) > 0 ? null : result;
}

function Printed({ text, stream }: { text: string; stream: 'stdout' | 'stderr' }) {
  const console = useMemo(() => replaceConsole(emptyConsole, text), [text]);
  return text === '' ? null : <ConsoleView console={console} stream={stream} />;
}
