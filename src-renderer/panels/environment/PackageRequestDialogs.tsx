import { useSession, useView } from '../../notebook/context.ts';
import { ImportDialog } from './ImportDialog.tsx';
import { PackageDialog } from './PackageDialog.tsx';

/**
 * The dialog of a change of packages that was requested outside the Packages section: by a cell that lacks a package,
 * or by a dropped file.
 */
export function PackageRequestDialogs() {
  const session = useSession();
  const request = useView((view) => view.askedPackages);
  const sid = useView((view) => view.sessionId);
  if (request === null) return null;
  if (request.kind === 'file') {
    return (
      <ImportDialog
        key={request.file.name}
        sid={sid}
        file={request.file}
        onClose={() => session.askPackages(null)}
      />
    );
  }
  return (
    <PackageDialog
      sid={sid}
      request={request.request}
      onClose={(jobId) => {
        session.askPackages(null);
        if (jobId !== null && request.rerun !== null) session.runs.runAfter(request.rerun, jobId);
      }}
    />
  );
}
