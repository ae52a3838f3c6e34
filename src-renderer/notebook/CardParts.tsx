/**
 * The parts of a cell's card around its text: gutter, bar, results and menu. They are rendered only when what they show
 * changes, not at every key press.
 */

import { Ellipsis, Play, RotateCw, Square } from 'lucide-react';
import { memo } from 'react';
import { LanguageBadge } from '../editor/LanguageMark.tsx';
import { loopOfCell } from '../state/loop.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { isSelected } from '../state/selection.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { StatusMark } from '../ui/StatusMark.tsx';
import { CELL_WORDS } from '../words/cell.ts';
import { CARD_WORDS } from '../words/cellCard.ts';
import { WORDS } from '../words/strings.ts';
import { CellChips } from './CellChips.tsx';
import { CellName } from './CellName.tsx';
import { CellOutputs } from './CellOutputs.tsx';
import { commandMenu } from './commandMenu.ts';
import { useCell, useSession } from './context.ts';
import { DragHandle } from './dragging.tsx';
import { LoopStrip } from './loop/LoopStrip.tsx';
import { TestChip } from './tests/TestChip.tsx';

/** At the left of the card: the run button and the drag handle. */
export const CellGutter = memo(function CellGutter(props: {
  id: string;
  name: string;
  runs: boolean;
  running: boolean;
  touched: boolean;
}) {
  const { id, name, runs, running, touched } = props;
  return (
    <div className="gut">
      {runs ? <RunButton id={id} running={running} name={name} /> : null}
      {touched ? <DragHandle id={id} name={name} /> : null}
    </div>
  );
});

/** Above the text: status, name, language, facts and the menu. */
export const CellBar = memo(function CellBar(props: {
  id: string;
  model: CellModel;
  name: string;
  touched: boolean;
}) {
  const { id, model, name, touched } = props;
  const { status, language } = model.cell;
  return (
    <div className="bar">
      <StatusMark kind={status} />
      <CellName id={id} name={name} />
      <LanguageBadge language={language} />
      <span className="grow" />
      <TestChip model={model} />
      <CellChips id={id} model={model} />
      {touched ? <CellActions id={id} name={name} /> : null}
    </div>
  );
});

export const Results = memo(function Results(props: { id: string; model: CellModel; folded: boolean }) {
  const { id, model, folded } = props;
  const session = useSession();
  if (folded) {
    return (
      <div className="results results-folded" data-results={id}>
        <span>{CELL_WORDS.outputHidden}</span>
        <Button onClick={() => session.fold([id], false)}>{CELL_WORDS.showOutput}</Button>
      </div>
    );
  }
  // Results of an `idle` cell belong to an earlier source.
  const { status } = model.cell;
  const loop = loopOfCell(model.cell);
  const dimmed = status === 'running' || status === 'stale' || status === 'idle';
  return (
    <div className={dimmed ? 'results results-old' : 'results'} data-results={id}>
      <CellOutputs id={id} model={model} />
      {loop === null ? null : <LoopStrip id={id} model={model} loop={loop} />}
    </div>
  );
});

function RunButton({ id, running, name }: { id: string; running: boolean; name: string }) {
  const session = useSession();
  const stopping = useCell(id, ({ model }) => model.cells[id]?.stopping ?? null);
  const stop = stopping === null ? WORDS.stop : CARD_WORDS.stopNow[stopping];
  return running ? (
    <IconButton tone="danger" label={`${stop}: ${name}`} onClick={() => session.runs.cancel(id)}>
      <Square />
    </IconButton>
  ) : (
    <IconButton tone="round" label={`${WORDS.run}: ${name}`} onClick={() => session.runs.run(id)}>
      <Play />
    </IconButton>
  );
}

export const CellActions = memo(function CellActions(props: { id: string; name: string; isText?: boolean }) {
  const { id, name, isText = false } = props;
  const session = useSession();
  return (
    <span className="cell-actions">
      {isText ? null : (
        <IconButton label={WORDS.rerunCell} onClick={() => session.runs.rerun(id)}>
          <RotateCw />
        </IconButton>
      )}
      <Menu
        label={CELL_WORDS.more(name)}
        // At the side of its button rather than below, so that it can use the full height of the window.
        side="right"
        items={() => commandMenu(session, 'cell')}
        onOpenChange={(open) => {
          // The menu handles the press itself, so the card does not focus the cell.
          if (open && !isSelected(session.store.getState(), id)) session.focus(id, 'command');
        }}
        trigger={
          <IconButton label={CELL_WORDS.more(name)}>
            <Ellipsis />
          </IconButton>
        }
      />
    </span>
  );
});
