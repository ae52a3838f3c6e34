/** The type of a command, and what it may use. */

import type { NotebookSession } from '../live/notebookSession.ts';
import type { NotebookView } from '../state/notebookStore.ts';

/** The parts of the page, other than the notebook, that commands need. */
export interface PagePort {
  /** The editor's cursor as an offset into the text of the cell being edited; null if none is edited. */
  readonly caretOffset: () => number | null;
  /** Whether the editor has its own undo or redo steps. */
  readonly editorCan: (what: 'undo' | 'redo') => boolean;
  /** Scrolls the notebook by screens. */
  readonly scroll: (screens: 1 | -1) => void;
  /** Opens the bar of find, with the line to replace by. */
  readonly openFind: (options: { readonly replace: boolean }) => void;
  /** Goes to the next or the previous search match. */
  readonly findNext: (by: 1 | -1) => void;
  /** Puts the selected cells on the clipboard. */
  readonly copy: () => void;
  readonly cut: () => void;
  readonly paste: (place: 'below' | 'above') => void;
  /** Shows the notebook as its readers see it. */
  readonly openApp: () => void;
  /** Switches to the next theme. */
  readonly nextTheme: () => void;
  /** Shows the numbers of lines, or hides them. */
  readonly toggleLines: () => void;
  /** Starts editing a name in its place. */
  readonly rename: (what: 'cell' | 'notebook') => void;
}

/** The state that a command uses to decide whether it applies, and to act. */
export interface CommandContext {
  readonly session: NotebookSession;
  readonly view: NotebookView;
  readonly page: PagePort;
}

export type CommandGroup = 'cell' | 'run' | 'edit' | 'notebook' | 'view' | 'help';

/**
 * One thing a person can do. `keys` are chords as `Mod+Enter`, sequences as `d d`; `Mod` is Ctrl, or ⌘ on a Mac.
 * Menus, palette and the shortcuts page are made of this table.
 */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
  /** `command`: only while no text is edited. `edit`: only while a cell's text is. `any`: both. */
  readonly mode: 'command' | 'edit' | 'any';
  readonly group: CommandGroup;
  /** The editor may take the keys first: they mean something in a text too. */
  readonly yields?: boolean;
  /** True, or why not: words for the palette. */
  readonly when?: (context: CommandContext) => true | string;
  readonly run: (context: CommandContext) => void;
  /** The menus that show it, and the part of the menu (parts are divided by a line). */
  readonly menu?: Partial<Readonly<Record<'cell' | 'notebook', number>>>;
  /** A menu inside the menu. */
  readonly submenu?: string;
  /** Loses something: shown in red. */
  readonly danger?: boolean;
}
