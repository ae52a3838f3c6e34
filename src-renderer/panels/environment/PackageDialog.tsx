/** Dialog that previews a change of packages (add, remove, update, other Python) before it is made. */

import './packages.css';
import { useEffect, useState } from 'react';
import { beginRequest, type PackagePreview, previewRequest } from '../../live/packages.ts';
import { useTask } from '../../live/useTask.ts';
import type { PackageRequest } from '../../state/packageRequest.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { PACKAGE_WORDS } from '../../words/packages.ts';
import { Changes } from './Changes.tsx';

/** Previews what a request would change before it is made. */
export function PackageDialog({
  sid,
  request,
  onClose,
}: {
  sid: string;
  request: PackageRequest;
  /** Called with the id of the job that was started, or null if none was. */
  onClose: (jobId: string | null) => void;
}) {
  const looking = useTask();
  const beginning = useTask();
  const [preview, setPreview] = useState<PackagePreview | null>(null);
  const { run: look } = looking;
  useEffect(() => {
    look(async (signal) => setPreview(await previewRequest(sid, request, signal)));
  }, [look, sid, request]);
  const problem = looking.problem ?? beginning.problem ?? preview?.problem ?? null;
  return (
    <FormDialog
      open
      onClose={() => onClose(null)}
      title={titleOf(request)}
      go={PACKAGE_WORDS.apply}
      going={PACKAGE_WORDS.applying}
      busy={beginning.busy}
      ready={preview !== null && preview.problem === null}
      onSubmit={() =>
        beginning.run(async () => {
          onClose(await beginRequest(sid, request));
        })
      }
    >
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {looking.busy ? <Spinner label={PACKAGE_WORDS.looking} /> : null}
      {preview === null || preview.problem !== null ? null : <Changes changes={preview.changes} />}
    </FormDialog>
  );
}

function titleOf(request: PackageRequest): string {
  switch (request.kind) {
    case 'add':
      return PACKAGE_WORDS.addTitle(request.requirements.join(', '));
    case 'remove':
      return PACKAGE_WORDS.removeTitle(request.name);
    case 'python':
      return PACKAGE_WORDS.pythonTitle(request.minor);
    case 'import':
      return PACKAGE_WORDS.importTitle;
  }
}
