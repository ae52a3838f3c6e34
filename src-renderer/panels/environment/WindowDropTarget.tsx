/** Accepts data, pictures, folders and package lists dropped anywhere in the window of a notebook. */

import './packages.css';
import { useCallback } from 'react';
import { isDataFile } from '../../../src-shared/notebook/dataFiles.ts';
import { addDataFiles } from '../../live/addDataFiles.ts';
import { openPackageList } from '../../live/packageListFile.ts';
import { useSession } from '../../notebook/context.ts';
import { droppedItems } from '../../ui/droppedItems.ts';
import { toast } from '../../ui/toastStore.ts';
import { useFileDrop } from '../../ui/useFileDrop.ts';
import { DATA_FILE_WORDS } from '../../words/dataFiles.ts';
import { PACKAGE_WORDS } from '../../words/packages.ts';

/**
 * Accepts data, pictures, folders and package files dropped anywhere in the window; while one is dragged, a hint is
 * shown.
 */
export function WindowDropTarget() {
  const session = useSession();
  const over = useFileDrop(
    useCallback(
      (data) => {
        const files = droppedItems(data);
        const [file, ...others] = files.map((one) => one.file);
        if (files.some(({ file: { name }, isFolder }) => isFolder || isDataFile(name)))
          void addDataFiles(session, files);
        else if (others.length > 0) toast(PACKAGE_WORDS.oneFile, { tone: 'warn' });
        else if (file !== undefined) void openPackageList(session, file);
      },
      [session],
    ),
  );
  return over ? (
    <div className="list-drop" aria-hidden="true">
      <span>{DATA_FILE_WORDS.dropHere}</span>
      <span>{PACKAGE_WORDS.dropHere}</span>
    </div>
  ) : null;
}
