/**
 * Shows one finished iteration of a loop cell (its carried value, displays and console), with a slider that chooses it.
 */

import { ChevronLeft, ChevronRight, CornerDownRight } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { withLoopStart } from '../../../src-shared/notebook/startFrom.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ShownIteration } from '../../../src-shared/wire/routes/extensions.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { ConsoleView } from '../../outputs/console/ConsoleView.tsx';
import { OutputView } from '../../outputs/OutputView.tsx';
import { emptyConsole, replaceConsole } from '../../state/consoleText.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { useNow } from '../../ui/useNow.ts';
import { LOOP_WORDS } from '../../words/loop.ts';
import { durationText } from '../../words/strings.ts';
import { useCell, useSession } from '../context.ts';

/** How long the slider must be still before the iteration is requested, in ms. */
const REST_MS = 120;
/**
 * Added to the index of a display, because the route of a cell's displays serves those of its last run under the plain
 * index.
 */
const NOT_THE_CELLS = 1_000_000;

/** A finished iteration of a loop: its carry, displays and console. Shows the newest unless another one is selected. */
export function Iterations({ id, model }: { id: string; model: CellModel }) {
  const sessionId = useCell(id, (view) => view.sessionId);
  const live = useCell(id, (view) => view.link.kind === 'live');
  const [wantedIteration, setWantedIteration] = useState<number | null>(null);
  const restedIteration = useRested(wantedIteration);
  const { cell } = model;
  const running = cell.status === 'running';
  // During a run the newest iteration changes, so it is requested again once a second.
  const second = useNow(running, 1_000);
  const { value, problem, loading } = useAnswer(
    'cellIteration',
    live ? { params: { sid: sessionId, cell_id: id, iteration: restedIteration ?? -1 } } : null,
    {
      subject: `${sessionId} ${id}`,
      key: JSON.stringify([
        restedIteration,
        cell.status,
        cell.artifact_uris,
        running && restedIteration === null ? second : 0,
      ]),
    },
  );
  if (value === null) {
    return <p className="panel-quiet loop-none">{loading ? '' : problem === null ? '' : LOOP_WORDS.none}</p>;
  }
  const count = Math.max(value.count, running ? (model.loop?.finished ?? 0) : 0);
  const at = Math.min(wantedIteration ?? value.iteration, count - 1);
  return (
    <div className="loop-body">
      <div className="loop-pick">
        <IconButton label={LOOP_WORDS.previous} disabled={at <= 0} onClick={() => setWantedIteration(at - 1)}>
          <ChevronLeft />
        </IconButton>
        <input
          type="range"
          className="loop-range"
          aria-label={LOOP_WORDS.pick}
          aria-valuetext={LOOP_WORDS.picked(at, count)}
          min={0}
          max={Math.max(0, count - 1)}
          value={at}
          disabled={count < 2}
          onChange={(event) => setWantedIteration(Number(event.currentTarget.value))}
        />
        <IconButton
          label={LOOP_WORDS.next}
          disabled={at >= count - 1}
          onClick={() => setWantedIteration(at + 1)}
        >
          <ChevronRight />
        </IconButton>
        <span className="loop-at">{LOOP_WORDS.picked(at, count)}</span>
        <span className="grow" />
        <StartHere id={id} iteration={value.iteration} />
      </div>
      <Shown key={value.carry.output.artifact_uri} id={id} sessionId={sessionId} shown={value} />
    </div>
  );
}

/** The selected iteration, after it has not changed for REST_MS. */
function useRested(wantedIteration: number | null): number | null {
  const [restedIteration, setRestedIteration] = useState(wantedIteration);
  useEffect(() => {
    const timer = setTimeout(() => setRestedIteration(wantedIteration), REST_MS);
    return () => clearTimeout(timer);
  }, [wantedIteration]);
  return restedIteration;
}

function StartHere({ id, iteration }: { id: string; iteration: number }) {
  const session = useSession();
  return (
    <Button
      icon={<CornerDownRight aria-hidden="true" />}
      title={LOOP_WORDS.startHint(iteration)}
      onClick={() => {
        const source = session.store.getState().model.cells[id]?.cell.source ?? '';
        const next = withLoopStart(source, { cellId: id, iteration });
        if (next === null) return;
        void session.shape.insertCells([{ language: 'python', source: next }], { afterId: id, deed: 'add' });
      }}
    >
      {LOOP_WORDS.startHere}
    </Button>
  );
}

function Shown({ id, sessionId, shown }: { id: string; sessionId: string; shown: ShownIteration }) {
  const { carry, iteration } = shown;
  // Most loops end with the name of their carry, so that display would repeat the carry.
  const displays = shown.displays.filter((display) => !isSame(display, carry.output));
  const show = (output: Output, index: number) => (
    <div className="output" key={`${index} ${output.artifact_uri}`}>
      <OutputView output={output} sessionId={sessionId} cellId={id} index={NOT_THE_CELLS + index} />
    </div>
  );
  return (
    <div className="loop-shown" data-iteration={iteration}>
      <div className="loop-label">
        <b>{LOOP_WORDS.carried(carry.name)}</b>
        <span>
          {durationText(shown.duration_ms)}
          {shown.until_reached ? ` · ${LOOP_WORDS.ended}` : ''}
        </span>
      </div>
      {show(carry.output, 0)}
      {displays.length === 0 ? null : <div className="loop-label">{LOOP_WORDS.shown}</div>}
      {displays.map((output, index) => show(output, index + 1))}
      {shown.stdout === '' && shown.stderr === '' ? null : (
        <div className="loop-label">{LOOP_WORDS.printed}</div>
      )}
      <Printed text={shown.stdout} stream="stdout" />
      <Printed text={shown.stderr} stream="stderr" />
    </div>
  );
}

function isSame(a: Output, b: Output): boolean {
  return (
    a.content_type === b.content_type &&
    a.bytes === b.bytes &&
    a.text === b.text &&
    JSON.stringify(a.preview) === JSON.stringify(b.preview)
  );
}

function Printed({ text, stream }: { text: string; stream: 'stdout' | 'stderr' }) {
  const console = useMemo(() => replaceConsole(emptyConsole, text), [text]);
  return <ConsoleView console={console} stream={stream} />;
}
