import './packages.css';
import { useCallback } from 'react';
import { takeList } from '../../live/listFile.ts';
import { useSession } from '../../notebook/context.ts';
import { toast } from '../../ui/toastStore.ts';
import { useFileDrop } from '../../ui/useFileDrop.ts';
import { PACKAGE_WORDS } from '../../ui/words/packages.ts';

/** The whole window takes a file that lists packages; while one is dragged it says so. */
export function ListDrop() {
  const session = useSession();
  const over = useFileDrop(
    useCallback(
      (data) => {
        const [file, ...others] = data.files;
        if (others.length > 0) toast(PACKAGE_WORDS.oneFile, { tone: 'warn' });
        else if (file !== undefined) void takeList(session, file);
      },
      [session],
    ),
  );
  return over ? (
    <div className="list-drop" aria-hidden="true">
      {PACKAGE_WORDS.dropHere}
    </div>
  ) : null;
}
