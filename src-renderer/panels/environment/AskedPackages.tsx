import { useSession, useView } from '../../notebook/context.ts';
import { ImportDialog } from './ImportDialog.tsx';
import { PackageDialog } from './PackageDialog.tsx';

/** A change of the packages that was requested outside their panel: by a cell that lacks one, or a dropped file. */
export function AskedPackages() {
  const session = useSession();
  const asked = useView((view) => view.askedPackages);
  const sid = useView((view) => view.sessionId);
  if (asked === null) return null;
  if (asked.kind === 'file') {
    return (
      <ImportDialog
        key={asked.file.name}
        sid={sid}
        file={asked.file}
        onClose={() => session.askPackages(null)}
      />
    );
  }
  return (
    <PackageDialog
      sid={sid}
      wish={asked.wish}
      onClose={(jobId) => {
        session.askPackages(null);
        if (jobId !== null && asked.rerun !== null) session.runs.runAfter(asked.rerun, jobId);
      }}
    />
  );
}
