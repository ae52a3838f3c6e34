/** Offers to mount dropped data, which is too large to copy or is a folder, and adds a cell that reads it. */

import { useSyncExternalStore } from 'react';
import { mountCell } from '../../../src-shared/notebook/mountCell.ts';
import { mountNameFor } from '../../../src-shared/notebook/mountUri.ts';
import type { Mount } from '../../../src-shared/wire/cell.ts';
import { notebookFactsOf } from '../../live/addDataFiles.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { onMountRequest, requestedMount, requestMount } from '../../state/mountRequest.ts';
import { DATA_FILE_WORDS } from '../../words/dataFiles.ts';
import { MountDialog } from '../files/MountDialog.tsx';

const NONE: readonly Mount[] = [];

/** Offers to mount dropped data that is not copied, and adds a cell that reads it. */
export function RequestedMount() {
  const request = useSyncExternalStore(onMountRequest, requestedMount);
  const session = useSession();
  const mounts = useView((view) => view.model.meta?.mounts ?? NONE);
  if (request === null) return null;
  const mountNames = mounts.map(({ name }) => name);
  const defined = Object.values(session.store.getState().model.cells).flatMap(({ cell }) => cell.defines);
  const save = async (mount: Mount): Promise<string | null> => {
    if (!(await session.shape.setMounts(mounts, [...mounts, mount]))) return session.store.getState().notice;
    requestMount(null);
    const source = mountCell(mount, await notebookFactsOf(session));
    const { focusedId } = session.store.getState();
    await session.shape.insertCells([{ language: 'python', source }], {
      afterId: focusedId,
      replacesBlank: true,
      deed: 'add',
    });
    return null;
  };
  return (
    <MountDialog
      mount={null}
      start={{ name: mountNameFor(request.fileName, new Set([...mountNames, ...defined])) }}
      note={DATA_FILE_WORDS.mountPath(request.fileName)}
      taken={mountNames}
      onClose={() => requestMount(null)}
      onSave={save}
    />
  );
}
