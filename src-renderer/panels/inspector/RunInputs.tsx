import { canBeMount, withMountOf } from '../../../src-shared/notebook/observedMount.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { ExplainedInput } from '../../../src-shared/wire/routes/extensions.ts';
import { useCell, useSession, useView } from '../../notebook/context.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';

/** Each thing the last run was made from, beside what a run now would be made from. */
export function RunInputs(props: { cell: Cell; inputs: readonly ExplainedInput[]; hasRun: boolean }) {
  const { cell, hasRun } = props;
  // Before its first run everything is new, which says nothing: only what it will read does.
  const inputs = hasRun ? props.inputs : props.inputs.filter(({ kind }) => kind === 'input');
  if (inputs.length === 0) return null;
  return (
    <section className="panel-section">
      <h3>{hasRun ? INSPECTOR_WORDS.inputs : INSPECTOR_WORDS.willRead}</h3>
      <dl className="inputs">
        {inputs.map((input) => (
          <Input key={`${input.kind} ${input.name}`} cell={cell} input={input} hasRun={hasRun} />
        ))}
      </dl>
    </section>
  );
}

function Input({ cell, input, hasRun }: { cell: Cell; input: ExplainedInput; hasRun: boolean }) {
  const session = useSession();
  const { cell_id: cellId, detail, kind, name, state } = input;
  const isInNotebook = useView((view) => cellId !== null && view.model.cells[cellId] !== undefined);
  // An input whose kind occurs once is labelled by its kind; a worker's name is shown beside it.
  const label = INSPECTOR_WORDS.inputKind[kind] || name;
  const text = kind === 'worker' && detail === null ? name : detail;
  // What was not observed is neither the same nor changed.
  const shownState = hasRun && kind !== 'unseen' ? INSPECTOR_WORDS.inputState[state] : '';
  return (
    <>
      <dt title={label}>
        {isInNotebook ? (
          <button type="button" className="cell-link" onClick={() => session.focus(cellId)}>
            {label}
          </button>
        ) : (
          label
        )}
      </dt>
      <dd className={kind === 'unseen' ? 'input-why' : state === 'same' || !hasRun ? '' : 'tone-stale'}>
        {[shownState, text ?? ''].filter((part) => part !== '').join(' · ')}
        {canBeMount(input) ? <MakeMount cell={cell} path={name} /> : null}
      </dd>
    </>
  );
}

/** A file that a run was seen to read becomes a mount of its cell: its content is part of the key from then on. */
function MakeMount({ cell, path }: { cell: Cell; path: string }) {
  const session = useSession();
  const source = useCell(cell.id, (view) => shownSource(view, cell.id));
  return (
    <button
      type="button"
      className="cell-link input-act"
      onClick={() =>
        void session.shape.writeSources(new Map([[cell.id, withMountOf({ ...cell, source }, path)]]), 'fix')
      }
    >
      {INSPECTOR_WORDS.makeMount}
    </button>
  );
}
