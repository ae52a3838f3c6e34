/** The Data panel: the files, mounts, connections and catalogs that cells can read, each with its first rows. */

import { useMemo, useState } from 'react';
import { catalogCell } from '../../../src-shared/notebook/catalogCell.ts';
import { mountCell } from '../../../src-shared/notebook/mountCell.ts';
import { addCellFor, notebookFactsOf } from '../../live/addDataFiles.ts';
import type { NotebookSession } from '../../live/notebookSession.ts';
import { useSession } from '../../notebook/context.ts';
import { CatalogsSection } from '../catalogs/CatalogsSection.tsx';
import { ConnectionsSection } from '../connections/ConnectionsSection.tsx';
import { MountsSection } from '../files/MountsSection.tsx';
import { DataFiles } from './DataFiles.tsx';
import { DataPreview } from './DataPreview.tsx';
import { type DataActions, DataActionsContext, type DataSubject, tableCell } from './dataSubject.ts';

/** What cells can read: files, mounts, and the tables of connections and catalogs, each with its first rows. */
export function DataPanel() {
  const session = useSession();
  const [shownSubject, setShownSubject] = useState<DataSubject | null>(null);
  const acts = useMemo<DataActions>(
    () => ({ preview: setShownSubject, addCell: (subject) => void addCell(session, subject) }),
    [session],
  );
  return (
    <DataActionsContext value={acts}>
      <DataFiles />
      <MountsSection />
      <ConnectionsSection />
      <CatalogsSection />
      {shownSubject === null ? null : (
        <DataPreview
          subject={shownSubject}
          onClose={() => setShownSubject(null)}
          onAddCell={() => {
            setShownSubject(null);
            acts.addCell(shownSubject);
          }}
        />
      )}
    </DataActionsContext>
  );
}

/** Adds a cell that reads the data, below the focused cell; one undo step. */
async function addCell(session: NotebookSession, subject: DataSubject): Promise<void> {
  if (subject.of === 'file') return addCellFor(session, subject.path);
  if (subject.of === 'catalog') return addCatalogCell(session, subject);
  const cell =
    subject.of === 'mount'
      ? { language: 'python' as const, source: mountCell(subject, await notebookFactsOf(session)) }
      : { language: 'sql' as const, source: tableCell(subject) };
  const { focusedId } = session.store.getState();
  await session.shape.insertCells([cell], { afterId: focusedId, replacesBlank: true, deed: 'add' });
}

async function addCatalogCell(
  session: NotebookSession,
  subject: Extract<DataSubject, { of: 'catalog' }>,
): Promise<void> {
  const source = catalogCell(subject, await notebookFactsOf(session));
  const { focusedId } = session.store.getState();
  await session.shape.insertCells([{ language: 'python', source }], {
    afterId: focusedId,
    replacesBlank: true,
    deed: 'add',
  });
}
