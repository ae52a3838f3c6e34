import { Eye, ListPlus, Pin } from 'lucide-react';
import { useContext } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { DATA_WORDS as W } from '../../words/data.ts';
import { DataActionsContext, type DataSubject, nameOfSubject } from './dataSubject.ts';

/**
 * Buttons of a data source in the Data panel: show its first rows (if it has some), and insert a cell that reads it.
 */
export function RowActions({ subject, shows }: { readonly subject: DataSubject; readonly shows: boolean }) {
  const acts = useContext(DataActionsContext);
  const name = nameOfSubject(subject);
  return (
    <>
      {shows ? (
        <IconButton label={W.preview(name)} onClick={() => acts.preview(subject)}>
          <Eye aria-hidden="true" />
        </IconButton>
      ) : null}
      <IconButton label={W.addCellFor(name)} onClick={() => acts.addCell(subject)}>
        {subject.of === 'catalog' && subject.snapshotId !== null ? (
          <Pin aria-hidden="true" />
        ) : (
          <ListPlus aria-hidden="true" />
        )}
      </IconButton>
    </>
  );
}
