import { useMemo } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { CompareDialog } from './CompareDialog.tsx';
import { comparableVersions, useResultVersions } from './useResultVersions.ts';

/** The comparison dialog opened by a command or by the inspector, for any cell; renders nothing while closed. */
export function CompareDialogHost() {
  const id = useView((view) => view.comparingId);
  const model = useView((view) => (id === null ? undefined : view.model.cells[id]));
  return id === null || model === undefined ? null : <OfCell key={id} id={id} model={model} />;
}

function OfCell({ id, model }: { id: string; model: CellModel }) {
  const session = useSession();
  const name = useView((view) => cellName(view.model, id));
  const { value, problem } = useResultVersions(id, model);
  const versions = useMemo(() => (value === null ? null : comparableVersions(value.results)), [value]);
  return (
    <CompareDialog
      onClose={() => session.compare(null)}
      cellId={id}
      name={name}
      versions={versions}
      problem={problem}
    />
  );
}
