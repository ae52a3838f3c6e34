import type { ExplainedInput } from '../../../src-shared/wire/routes/extensions.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { INSPECTOR_WORDS } from '../../ui/words/inspector.ts';

/** Each thing the last run was made from, beside what a run now would be made from. */
export function WentInto(props: { inputs: readonly ExplainedInput[]; hasRun: boolean }) {
  const { hasRun } = props;
  // Before its first run everything is new, which says nothing: only what it will read does.
  const inputs = hasRun ? props.inputs : props.inputs.filter(({ kind }) => kind === 'input');
  if (inputs.length === 0) return null;
  return (
    <section className="panel-section">
      <h3>{hasRun ? INSPECTOR_WORDS.inputs : INSPECTOR_WORDS.willRead}</h3>
      <dl className="inputs">
        {inputs.map((input) => (
          <Input key={`${input.kind} ${input.name}`} input={input} hasRun={hasRun} />
        ))}
      </dl>
    </section>
  );
}

function Input({ input, hasRun }: { input: ExplainedInput; hasRun: boolean }) {
  const session = useSession();
  const { cell_id: cellId, detail, kind, name, state } = input;
  const known = useView((view) => cellId !== null && view.model.cells[cellId] !== undefined);
  // What is one of a kind goes by its kind; who works is told beside it.
  const label = INSPECTOR_WORDS.inputKind[kind] || name;
  const told = kind === 'worker' && detail === null ? name : detail;
  return (
    <>
      <dt title={label}>
        {known ? (
          <button type="button" className="cell-link" onClick={() => session.focus(cellId)}>
            {label}
          </button>
        ) : (
          label
        )}
      </dt>
      <dd className={state === 'same' || !hasRun ? '' : 'tone-stale'}>
        {[hasRun ? INSPECTOR_WORDS.inputState[state] : '', told ?? '']
          .filter((text) => text !== '')
          .join(' · ')}
      </dd>
    </>
  );
}
