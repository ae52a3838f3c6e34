import { isIdentifier } from '../../src-shared/notebook/directives.ts';
import { withVariant } from '../../src-shared/notebook/variantDirective.ts';
import type { VariantGroup } from '../../src-shared/wire/cell.ts';
import type { NotebookSession } from '../live/notebookSession.ts';
import { shownSource } from '../state/notebookStore.ts';
import { toast } from '../ui/toastStore.ts';
import { VARIANT_WORDS as W } from '../words/variants.ts';

/**
 * Renames a variant in its `@variant` line; if it is the active variant of its group, the group's setting is renamed
 * too.
 */
export function renameVariant(
  session: NotebookSession,
  change: { readonly group: VariantGroup; readonly cellId: string; readonly name: string },
): void {
  const { group, cellId, name } = change;
  const member = group.members.find(({ cell_id }) => cell_id === cellId);
  if (member === undefined || member.name === name) return;
  if (!isIdentifier(name)) toast(W.badName);
  else if (group.members.some((other) => other.name === name)) toast(W.takenName(name));
  else {
    const source = shownSource(session.store.getState(), cellId);
    void session.shape.renameVariant(group, {
      cellId,
      before: member.name,
      name,
      source: withVariant(source, { group: group.group, name }),
    });
  }
}
