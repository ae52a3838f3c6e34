import type { ExplainedInput } from '../../../src-shared/wire/routes/extensions.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { INSPECTOR_WORDS } from '../../ui/words/inspector.ts';

/** Each thing the last run was made from, beside what a run now would be made from. */
export function WentInto({ inputs }: { inputs: readonly ExplainedInput[] }) {
  if (inputs.length === 0) return null;
  return (
    <section className="panel-section">
      <h3>{INSPECTOR_WORDS.inputs}</h3>
      <dl className="inputs">
        {inputs.map((input) => (
          <Input key={`${input.kind} ${input.name}`} input={input} />
        ))}
      </dl>
    </section>
  );
}

function Input({ input }: { input: ExplainedInput }) {
  const session = useSession();
  const { cell_id: cellId, detail, kind, name, state } = input;
  const known = useView((view) => cellId !== null && view.model.cells[cellId] !== undefined);
  const label = name === '' ? INSPECTOR_WORDS.inputKind[kind] : name;
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
      <dd className={state === 'same' ? '' : 'tone-stale'}>
        {INSPECTOR_WORDS.inputState[state]}
        {detail === null || detail === '' ? '' : ` · ${detail}`}
      </dd>
    </>
  );
}
