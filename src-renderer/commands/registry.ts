import type { NotebookSession } from '../live/notebookSession.ts';
import type { NotebookView } from '../state/notebookStore.ts';

/** What a command may look at to decide whether it applies, and act on. */
export interface CommandContext {
  readonly session: NotebookSession;
  readonly view: NotebookView;
}

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
  readonly when?: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext) => void;
}

const hasFocus = ({ view }: CommandContext): boolean => view.focusedId !== null;

function onFocused(act: (context: CommandContext, cellId: string) => void): Command['run'] {
  return (context) => {
    const id = context.view.focusedId;
    if (id !== null) act(context, id);
  };
}

/** Moves the focus by `step` cells, staying inside the notebook; with none focused, starts at an end. */
function step(by: 1 | -1): Command['run'] {
  return ({ session, view }) => {
    const { order } = view.model;
    const at = view.focusedId === null ? -1 : order.indexOf(view.focusedId);
    const next = at === -1 ? (by === 1 ? order[0] : order.at(-1)) : order[at + by];
    if (next !== undefined) session.focus(next, 'command');
  };
}

function isMarkdown(view: NotebookView, id: string): boolean {
  return view.model.cells[id]?.cell.language === 'markdown';
}

function runOne(session: NotebookSession, view: NotebookView, id: string): void {
  if (isMarkdown(view, id)) session.edits.save(id);
  else session.runs.run(id);
}

export const COMMANDS: readonly Command[] = [
  {
    id: 'cell.run',
    title: 'Run cell',
    keys: ['Mod+Enter'],
    mode: 'any',
    when: hasFocus,
    run: onFocused(({ session, view }, id) => {
      runOne(session, view, id);
      session.focus(id, 'command');
    }),
  },
  {
    id: 'cell.runAndAdvance',
    title: 'Run cell and go to the next',
    keys: ['Shift+Enter'],
    mode: 'any',
    when: hasFocus,
    run: onFocused(({ session, view }, id) => {
      runOne(session, view, id);
      const next = view.model.order[view.model.order.indexOf(id) + 1];
      if (next === undefined) void session.shape.addCell({ afterId: id, language: 'python' });
      else session.focus(next, 'command');
    }),
  },
  {
    id: 'cell.stop',
    title: 'Stop cell',
    keys: ['i i'],
    mode: 'command',
    when: hasFocus,
    run: onFocused(({ session }, id) => session.runs.cancel(id)),
  },
  {
    id: 'cell.edit',
    title: 'Edit cell',
    keys: ['Enter'],
    mode: 'command',
    when: hasFocus,
    run: onFocused(({ session }, id) => session.focus(id, 'edit')),
  },
  {
    id: 'cell.leave',
    title: 'Stop editing',
    keys: ['Escape'],
    mode: 'edit',
    run: onFocused(({ session }, id) => session.focus(id, 'command')),
  },
  { id: 'cell.next', title: 'Next cell', keys: ['j', 'ArrowDown'], mode: 'command', run: step(1) },
  { id: 'cell.previous', title: 'Previous cell', keys: ['k', 'ArrowUp'], mode: 'command', run: step(-1) },
  {
    id: 'cell.addAbove',
    title: 'Add a cell above',
    keys: ['a'],
    mode: 'command',
    when: hasFocus,
    run: onFocused(({ session }, id) => void session.shape.addCellAbove(id, 'python')),
  },
  {
    id: 'cell.addBelow',
    title: 'Add a cell below',
    keys: ['b'],
    mode: 'command',
    run: ({ session, view }) => void session.shape.addCell({ afterId: view.focusedId, language: 'python' }),
  },
  {
    id: 'cell.delete',
    title: 'Delete cell',
    keys: ['d d'],
    mode: 'command',
    when: hasFocus,
    run: onFocused(({ session }, id) => session.askDelete(id)),
  },
  {
    id: 'cell.moveUp',
    title: 'Move cell up',
    keys: ['Alt+ArrowUp'],
    mode: 'any',
    when: hasFocus,
    run: onFocused(({ session }, id) => void session.shape.moveCell(id, -1)),
  },
  {
    id: 'cell.moveDown',
    title: 'Move cell down',
    keys: ['Alt+ArrowDown'],
    mode: 'any',
    when: hasFocus,
    run: onFocused(({ session }, id) => void session.shape.moveCell(id, 1)),
  },
  {
    id: 'notebook.save',
    title: 'Save now',
    keys: ['Mod+s'],
    mode: 'any',
    run: ({ session }) => session.edits.saveAll(),
  },
];
