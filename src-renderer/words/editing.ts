/** UI texts of undo, clipboard, find and the other ways to change a notebook. */
export const EDITING_WORDS = {
  undo: 'Undo',
  deed: {
    add: 'adding a cell',
    delete: 'deleting',
    move: 'moving',
    edit: 'typing',
    rename: 'renaming',
    language: 'changing the language',
    fix: 'applying a fix',
    format: 'formatting',
    merge: 'merging',
    split: 'splitting',
    cut: 'cutting',
    paste: 'pasting',
    replace: 'replacing',
    mounts: 'changing the mounts',
    variant: 'changing variants',
    setup: 'changing the setup cell',
    outside: 'a change by another program',
    assistant: 'the assistant’s changes',
    restore: 'restoring an earlier version',
    revert: 'reverting an agent’s changes',
    rewind: 'rewinding the notebook',
    layout: 'changing the app layout',
  },
  /** An entry that no longer applies. */
  obstacle: {
    gone: 'the cell no longer exists',
    there: 'the cell is already back',
    changed: 'the cell was changed elsewhere in the meantime',
  },
  leftOut: (what: string, why: string): string => `Undo skipped ${what}: ${ended(why)}`,
  leftOutRedo: (what: string, why: string): string => `Redo skipped ${what}: ${ended(why)}`,
  deleted: (count: number): string => (count === 1 ? 'Cell deleted' : `${count} cells deleted`),
  cut: (count: number): string => (count === 1 ? 'Cell cut' : `${count} cells cut`),
  copied: (count: number): string => (count === 1 ? 'Cell copied' : `${count} cells copied`),
  pastedScript: 'The script was pasted into one cell.',
  splitInto: (count: number): string => `Split into ${count} cells`,
  nothingToPaste: 'No copied cell to paste. To paste text from other programs, press Ctrl+V (⌘V).',
  clipboardRefused: 'Couldn’t write to the system clipboard. You can paste the cells in Cellar windows only.',
  mergeOneLanguage: 'Only cells in the same language can be merged.',
  showCameIn: 'Show changes',
  cameInto: (name: string): string => `Changes merged into ${name}`,
  cameIn:
    'Another program changed other lines while you were typing. The cell has both changes. − is your text, + is the merged text.',
  cameInDiff: 'Your text and the merged text',
  keepBoth: 'Keep both',
  mergedOutside: (name: string): string =>
    `${name} was changed by another program while you were typing. Both changes are merged. Undo removes the other program’s change.`,
  deletedUnderText: (name: string): string =>
    `${name} was deleted elsewhere while you were typing. Your text is in a new cell.`,
  orphanTexts: (name: string): string =>
    `${name} was deleted elsewhere while you were typing, and Cellar couldn’t create a new cell for your text. The text stays here until you move or discard it.`,
  orphanToNewCell: 'Move to new cell',
  orphanCopy: 'Copy text',
  orphanCopied: 'Text copied. It also stays here.',
  orphanNotCopied: 'Couldn’t copy. Select the text and copy it manually.',
  orphanDiscard: 'Discard text',
  cellCameLate:
    'The new cell was created, but your text is not in it yet because the server has not confirmed the cell. No text is lost. Try again.',
  draftBack:
    'This unsaved text is from an earlier session. The cell was changed elsewhere in the meantime. Choose which text to keep.',
  refusedDraft: 'First choose which text to keep: yours or theirs.',
} as const;

/** A reason as the end of a sentence; the server's own are sentences already. */
function ended(why: string): string {
  return /[.!?]$/.test(why) ? why : `${why}.`;
}
