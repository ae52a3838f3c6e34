/** The strip below a loop cell: its progress while it runs, and a button that shows its iterations. */

import '../strip.css';
import './loop.css';
import { ChevronDown, ChevronRight, Repeat } from 'lucide-react';
import type { LoopAnnotation } from '../../../src-shared/notebook/annotation.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { Progress } from '../../ui/Progress.tsx';
import { LOOP_WORDS } from '../../words/loop.ts';
import { useCell, useSession } from '../context.ts';
import { Iterations } from './Iterations.tsx';

/** Below the results of a loop: its progress while it runs, and a button that shows its iterations. */
export function LoopStrip({ id, model, loop }: { id: string; model: CellModel; loop: LoopAnnotation }) {
  const session = useSession();
  const open = useCell(id, (view) => view.iterations[id] === true);
  const running = model.cell.status === 'running';
  const progress = model.loop;
  return (
    <section className="strip" aria-label={LOOP_WORDS.ofLoop(loop.carry)}>
      {running ? (
        <Progress
          label={LOOP_WORDS.progress}
          tone="run"
          value={progress === null ? null : progress.finished / progress.maxIter}
        />
      ) : null}
      <button
        type="button"
        className="strip-toggle"
        aria-expanded={open}
        title={open ? LOOP_WORDS.hide : LOOP_WORDS.look}
        onClick={() => session.showIterations(id, !open)}
      >
        {open ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
        <Repeat aria-hidden="true" />
        {LOOP_WORDS.ofLoop(loop.carry)}
        {running && progress !== null ? (
          <span className="loop-done">
            {LOOP_WORDS.done(progress.finished, progress.maxIter, loop.untilExpr !== null)}
          </span>
        ) : null}
      </button>
      {open ? <Iterations id={id} model={model} /> : null}
    </section>
  );
}
