import { canBeMount, withMountOf } from '../../../src-shared/notebook/observedMount.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { ExplainedInput } from '../../../src-shared/wire/routes/extensions.ts';
import { useCell, useSession, useView } from '../../notebook/context.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';

/** Lists the inputs of a cell's last run in the inspector, compared with what a run would use now. */
export function RunInputs(props: { cell: Cell; inputs: readonly ExplainedInput[]; hasRun: boolean }) {
  const { cell, hasRun } = props;
  // Before the first run every input would be new, so only the variables that the cell reads are listed.
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
  // An input that was not observed has no state.
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

/**
 * A button that turns a file that a run read into a mount of its cell, so that its content becomes part of the cache
 * key.
 */
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
