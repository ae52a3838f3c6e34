/** Words of undo, clipboard, find and the other ways to change a notebook. */
export const EDITING_WORDS = {
  undo: 'Undo',
  redo: 'Redo',
  deed: {
    add: 'adding a cell',
    delete: 'deleting',
    move: 'moving',
    edit: 'typing',
    rename: 'renaming',
    language: 'changing the language',
    fix: 'fixing a problem',
    merge: 'merging',
    split: 'splitting',
    cut: 'cutting',
    paste: 'pasting',
    replace: 'replacing',
    mounts: 'changing the mounts',
    variant: 'a change of variants',
    setup: 'a change of the set-up cell',
    outside: 'taking in a change from outside',
    restore: 'bringing back an earlier text',
  },
  nothingToUndo: 'There is nothing to undo.',
  nothingToRedo: 'There is nothing to redo.',
  /** An entry that no longer applies. */
  obstacle: {
    gone: 'a cell it was about is gone',
    there: 'the cell is already back',
    changed: 'it was changed elsewhere meanwhile',
  },
  leftOut: (what: string, why: string): string => `Undo left out ${what}: ${ended(why)}`,
  leftOutRedo: (what: string, why: string): string => `Redo left out ${what}: ${ended(why)}`,
  deleted: (count: number): string => (count === 1 ? 'Cell deleted' : `${count} cells deleted`),
  cut: (count: number): string => (count === 1 ? 'Cell cut' : `${count} cells cut`),
  copied: (count: number): string => (count === 1 ? 'Cell copied' : `${count} cells copied`),
  nothingToPaste: 'No cell has been copied here. Text of other programs is pasted with Ctrl+V (⌘V).',
  clipboardRefused:
    'The system’s clipboard could not be written; the cells can be pasted in Cellar’s windows.',
  mergeOneLanguage: 'Only cells of one language can be merged.',
  showCameIn: 'See what came',
  cameInto: (name: string): string => `What came into ${name}`,
  cameIn:
    'Another program changed other lines while you typed; the cell has both. − is your text alone, + is what came.',
  cameInDiff: 'Your text alone and what came into it',
  keepBoth: 'Keep both',
  mergedOutside: (name: string): string =>
    `What another program changed in ${name} is in it now, with what you typed. Undo takes it out again.`,
  deletedUnderText: (name: string): string =>
    `${name} was deleted elsewhere while you typed in it. Your text is in a new cell.`,
  homeless: (name: string): string =>
    `${name} was deleted elsewhere while you typed in it, and no new cell could be made for your text. It is kept here until it has one.`,
  homelessAgain: 'Put it in a new cell',
  homelessCopy: 'Copy the text',
  homelessCopied: 'The text is on the clipboard. It is kept here too.',
  homelessNotCopied: 'The clipboard cannot be written here.',
  homelessDrop: 'Let it go',
  cellCameLate:
    'The new cell was made, but the server has not shown it yet, so its text was not put in. Nothing of the text is lost; try again.',
  draftBack:
    'This text was typed here before and is not saved: the cell was changed elsewhere meanwhile. Choose which text stays.',
  refusedDraft: 'Choose between your text and the other one first.',
} as const;

/** A reason as the end of a sentence; the server's own are sentences already. */
function ended(why: string): string {
  return /[.!?]$/.test(why) ? why : `${why}.`;
}
