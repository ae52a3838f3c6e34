/** The type of a command (one thing a person can do in a notebook) and what its functions get to decide and to run. */

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
  /** Opens the find bar, on request with the replace field. */
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
  /** Shows or hides line numbers. */
  readonly toggleLines: () => void;
  /** Starts editing a name in its place. */
  readonly rename: (what: 'cell' | 'notebook') => void;
}

/** What a command needs to decide whether it applies, and to run. */
export interface CommandContext {
  readonly session: NotebookSession;
  readonly view: NotebookView;
  readonly page: PagePort;
}

export type CommandGroup = 'cell' | 'run' | 'edit' | 'notebook' | 'view' | 'help';

/**
 * One thing a person can do. `keys` are chords (`Mod+Enter`) or sequences (`d d`); `Mod` is Ctrl, or ⌘ on a Mac.
 * Menus, palette and the shortcuts page are built from the command table.
 */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
  /** `command`: only while no cell is edited. `edit`: only while a cell's text is edited. `any`: always. */
  readonly mode: 'command' | 'edit' | 'any';
  readonly group: CommandGroup;
  /** The editor handles the keys first, because they also have a meaning in text. */
  readonly yields?: boolean;
  /** True when the command can run; otherwise the reason why it cannot, for the palette. */
  readonly when?: (context: CommandContext) => true | string;
  readonly run: (context: CommandContext) => void;
  /** The menus that show the command, each with the number of the section (sections are divided by a line). */
  readonly menu?: Partial<Readonly<Record<'cell' | 'notebook', number>>>;
  /** The title of the submenu that contains the command. */
  readonly submenu?: string;
  /** The command deletes or discards something: it is shown in red. */
  readonly danger?: boolean;
}
