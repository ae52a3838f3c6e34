import { withName } from '../../src-shared/notebook/nameDirective.ts';
import { shownSource } from '../state/notebookStore.ts';
import { CELL_WORDS as W } from '../words/cell.ts';
import { useCell, useSession } from './context.ts';
import { NameField } from './NameField.tsx';

/** The name in the bar of a cell's card; a double click or F2 changes its `# @name` annotation. */
export function CellName({ id, name }: { id: string; name: string }) {
  const session = useSession();
  const naming = useCell(
    id,
    (view) => typeof view.naming === 'object' && view.naming !== null && view.naming.cellId === id,
  );
  const own = useCell(id, (view) => view.model.cells[id]?.cell.annotations.name ?? '');
  if (naming) {
    return (
      <NameField
        className="field cell-rename"
        name={own}
        label={W.nameOf(name)}
        maxLength={120}
        onDone={(newName) => {
          session.name(null);
          // If another cell was clicked, that one has the focus now.
          if (session.store.getState().focusedId === id) session.focus(id, 'command');
          if (newName === null) return;
          const text = withName(shownSource(session.store.getState(), id), newName);
          void session.shape.writeSources(new Map([[id, text]]), 'rename');
        }}
      />
    );
  }
  return (
    // With the keyboard, F2 renames.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <span
      className="cell-name"
      title={`${name}\n${W.nameHint}`}
      onDoubleClick={() => session.name({ cellId: id })}
    >
      {name}
    </span>
  );
}
