import type { CodeChange } from '../../../src-shared/wire/routes/extensions.ts';
import { useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { DiffView } from '../../ui/DiffView.tsx';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';

/** Lists the changes in the code since the last run, of a cell and of the cells it reads from, in the inspector. */
export function CodeChanges({ code }: { code: readonly CodeChange[] }) {
  return code.map((change) => <InCell key={change.cell_id} change={change} />);
}

function InCell({ change }: { change: CodeChange }) {
  const name = useView((view) => cellName(view.model, change.cell_id));
  const now = useView((view) => view.model.cells[change.cell_id]?.cell.source);
  // The text was changed back, or the cell deleted; the next answer of the server will no longer list it.
  if (now === undefined || now === change.before) return null;
  const title = INSPECTOR_WORDS.changeIn(name);
  return (
    <section className="panel-section code-change" data-change={change.cell_id}>
      <h3>{title}</h3>
      <DiffView before={change.before} after={now} label={title} />
    </section>
  );
}
