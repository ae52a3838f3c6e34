/** Dialog that previews a change of packages. */

import './packages.css';
import { useEffect, useState } from 'react';
import { beginWish, type PackagePreview, previewWish } from '../../live/packages.ts';
import { useTask } from '../../live/useTask.ts';
import type { PackageWish } from '../../state/packageWish.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { PACKAGE_WORDS } from '../../words/packages.ts';
import { Changes } from './Changes.tsx';

/** Shows what a wish would change before it is done. */
export function PackageDialog({
  sid,
  wish,
  onClose,
}: {
  sid: string;
  wish: PackageWish;
  /** With the job that was begun; null: none was. */
  onClose: (jobId: string | null) => void;
}) {
  const looking = useTask();
  const beginning = useTask();
  const [preview, setPreview] = useState<PackagePreview | null>(null);
  const { run: look } = looking;
  useEffect(() => {
    look(async (signal) => setPreview(await previewWish(sid, wish, signal)));
  }, [look, sid, wish]);
  const problem = looking.problem ?? beginning.problem ?? preview?.problem ?? null;
  return (
    <FormDialog
      open
      onClose={() => onClose(null)}
      title={titleOf(wish)}
      go={PACKAGE_WORDS.apply}
      going={PACKAGE_WORDS.applying}
      busy={beginning.busy}
      ready={preview !== null && preview.problem === null}
      onSubmit={() =>
        beginning.run(async () => {
          onClose(await beginWish(sid, wish));
        })
      }
    >
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {looking.busy ? <Spinner label={PACKAGE_WORDS.looking} /> : null}
      {preview === null || preview.problem !== null ? null : <Changes changes={preview.changes} />}
    </FormDialog>
  );
}

function titleOf(wish: PackageWish): string {
  switch (wish.kind) {
    case 'add':
      return PACKAGE_WORDS.addTitle(wish.requirements.join(', '));
    case 'remove':
      return PACKAGE_WORDS.removeTitle(wish.name);
    case 'python':
      return PACKAGE_WORDS.pythonTitle(wish.minor);
    case 'import':
      return PACKAGE_WORDS.importTitle;
  }
}
