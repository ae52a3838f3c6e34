import type { CodeChange } from '../../../src-shared/wire/routes/extensions.ts';
import { useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { DiffView } from '../../ui/DiffView.tsx';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';

/** What changed in the code since the last run, here and in the cells it was made from. */
export function CodeChanges({ code }: { code: readonly CodeChange[] }) {
  return code.map((change) => <InCell key={change.cell_id} change={change} />);
}

function InCell({ change }: { change: CodeChange }) {
  const name = useView((view) => cellName(view.model, change.cell_id));
  const now = useView((view) => view.model.cells[change.cell_id]?.cell.source);
  // Typed back to what it was, or deleted: the server says so in a moment.
  if (now === undefined || now === change.before) return null;
  const title = INSPECTOR_WORDS.changeIn(name);
  return (
    <section className="panel-section code-change" data-change={change.cell_id}>
      <h3>{title}</h3>
      <DiffView before={change.before} after={now} label={title} />
    </section>
  );
}
