/** Commands that add, move, delete, split, merge and fold cells: part of the command table (registry.ts). */

import { withHeading } from '../../src-shared/notebook/headings.ts';
import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../src-shared/wire/cell.ts';
import { CELL_LANGUAGES, OFFERED_LANGUAGES, OTHER_LANGUAGES } from '../state/cellLanguages.ts';
import { layoutStore } from '../state/layout.ts';
import { loopOfCell } from '../state/loop.ts';
import { type NotebookView, shownSource } from '../state/notebookStore.ts';
import { foldAllSections, foldSection, sectionAround, sectionIds } from '../state/sections.ts';
import { shownOrder } from '../state/variants.ts';
import { CELL_CONSOLE_WORDS } from '../words/cellConsole.ts';
import { COMMAND_WORDS as W } from '../words/commands.ts';
import { LOOP_WORDS } from '../words/loop.ts';
import { blocksOf, type ClipCell } from './cellClipboard.ts';
import type { Command, CommandContext } from './command.ts';
import {
  firstObstacle,
  hasCode,
  hasFocus,
  isLive,
  isText,
  onFocusedCell,
  selectedCells,
} from './conditions.ts';

/** The cell before (-1) or after (1) the focused one; with none focused, the last or the first cell. */
function neighbour({ view }: CommandContext, by: 1 | -1): string | undefined {
  const order = shownOrder(view);
  const at = view.focusedId === null ? -1 : order.indexOf(view.focusedId);
  return at === -1 ? (by === 1 ? order[0] : order.at(-1)) : order[at + by];
}

function step(by: 1 | -1): Command['run'] {
  return (context) => {
    const next = neighbour(context, by) ?? context.view.focusedId;
    if (next !== null) context.session.focus(next, 'command');
  };
}

function extend(by: 1 | -1): Command['run'] {
  return (context) => {
    const next = neighbour(context, by);
    if (next !== undefined) context.session.extendTo(next);
  };
}

function changeLanguageCommand(language: Language): Command {
  const { command, change, keys } = CELL_LANGUAGES[language];
  return {
    id: `cell.to${command}`,
    title: change,
    keys,
    mode: 'command',
    group: 'cell',
    menu: { cell: 3 },
    submenu: W.changeLanguage,
    when: (context) => {
      const ids = selectedCells(context);
      if (ids.length === 0) return W.needsCell;
      const others = ids.some((one) => context.view.model.cells[one]?.cell.language !== language);
      return others ? true : W.alreadyThat;
    },
    run: (context) => void context.session.shape.changeLanguage(selectedCells(context), language),
  };
}

/** The command that adds a cell of a language other than Python below the focused cell, or at the end. */
function addCellCommand(language: Language): Command {
  return {
    id: `cell.add.${language}`,
    title: CELL_LANGUAGES[language].add,
    keys: [],
    mode: 'any',
    group: 'cell',
    run: ({ session, view }) => void session.shape.addCell({ afterId: view.focusedId, language }),
  };
}

function heading(level: number): Command {
  return {
    id: `cell.heading${level}`,
    title: `Heading ${level}`,
    keys: [`${level}`],
    mode: 'command',
    group: 'cell',
    menu: { cell: 3 },
    submenu: W.heading,
    when: hasFocus,
    run: (context) =>
      void context.session.shape.changeLanguage(selectedCells(context), 'markdown', (source) =>
        withHeading(source, level),
      ),
  };
}

export const CELL_COMMANDS: readonly Command[] = [
  {
    id: 'cell.edit',
    title: 'Edit cell',
    keys: ['Enter'],
    mode: 'command',
    group: 'cell',
    when: ({ view }) => (view.model.order.length > 0 ? true : W.needsCells),
    // If no cell is focused yet, Enter edits the first one.
    run: (context) => {
      const { session, view } = context;
      session.focus(hasFocus(context) === true ? view.focusedId : (view.model.order[0] ?? null), 'edit');
    },
  },
  {
    id: 'cell.leave',
    title: 'Stop editing',
    keys: ['Escape'],
    mode: 'edit',
    group: 'cell',
    yields: true,
    run: ({ session }) => session.leaveEdit(),
  },
  {
    id: 'cell.next',
    title: 'Next cell',
    keys: ['j', 'ArrowDown'],
    mode: 'command',
    group: 'cell',
    run: step(1),
  },
  {
    id: 'cell.previous',
    title: 'Previous cell',
    keys: ['k', 'ArrowUp'],
    mode: 'command',
    group: 'cell',
    run: step(-1),
  },
  {
    id: 'cell.extendDown',
    title: 'Extend selection to next cell',
    keys: ['Shift+j', 'Shift+ArrowDown'],
    mode: 'command',
    group: 'cell',
    when: hasFocus,
    run: extend(1),
  },
  {
    id: 'cell.extendUp',
    title: 'Extend selection to previous cell',
    keys: ['Shift+k', 'Shift+ArrowUp'],
    mode: 'command',
    group: 'cell',
    when: hasFocus,
    run: extend(-1),
  },
  {
    id: 'cell.selectAll',
    title: 'Select all cells',
    keys: ['Mod+a'],
    mode: 'command',
    group: 'cell',
    run: ({ session, view }) => {
      const order = shownOrder(view);
      const [first, last] = [order[0], order.at(-1)];
      if (first === undefined || last === undefined) return;
      session.focus(first, 'command');
      session.extendTo(last);
    },
  },
  {
    id: 'cell.deselect',
    title: 'Select only the focused cell',
    keys: ['Escape'],
    mode: 'command',
    group: 'cell',
    when: ({ view }) => (view.anchorId === null ? W.nothingSelected : true),
    run: onFocusedCell(({ session }, id) => session.focus(id, 'command')),
  },
  {
    id: 'cell.history',
    title: 'History of the cell',
    keys: ['Shift+h'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 4 },
    run: ({ session, view }) => session.showHistory(view.focusedId ?? view.model.order[0] ?? ''),
  },
  {
    id: 'cell.addAbove',
    title: 'Add cell above',
    keys: ['a'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 2 },
    submenu: W.addHere,
    when: hasFocus,
    run: (context) => {
      const [first] = selectedCells(context);
      if (first !== undefined) void context.session.shape.addCellAbove(first, 'python');
    },
  },
  {
    id: 'cell.addBelow',
    title: 'Add cell below',
    keys: ['b'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 2 },
    submenu: W.addHere,
    run: (context) =>
      void context.session.shape.addCell({
        afterId: selectedCells(context).at(-1) ?? null,
        language: 'python',
      }),
  },
  {
    id: 'cell.addText',
    title: 'Add text cell below',
    keys: [],
    mode: 'any',
    group: 'cell',
    run: (context) =>
      void context.session.shape.addCell({
        afterId: selectedCells(context).at(-1) ?? null,
        language: 'markdown',
      }),
  },
  {
    id: 'cell.addControls',
    title: 'Add controls below (sliders, lists, switches)',
    keys: [],
    mode: 'command',
    group: 'cell',
    run: (context) =>
      void context.session.shape.addCell({
        afterId: selectedCells(context).at(-1) ?? null,
        language: 'widget',
      }),
  },
  {
    id: 'cell.rename',
    title: 'Rename cell',
    keys: ['F2'],
    mode: 'any',
    group: 'cell',
    // In the editor of a Python cell, F2 renames the name at the caret.
    yields: true,
    menu: { cell: 2 },
    // The name is a directive in the source; a text cell would show that line as text.
    when: hasCode,
    run: ({ page }) => page.rename('cell'),
  },
  {
    id: 'cell.moveUp',
    title: 'Move cell up',
    keys: ['Alt+ArrowUp'],
    mode: 'any',
    group: 'cell',
    yields: true,
    menu: { cell: 2 },
    when: hasFocus,
    run: (context) => void context.session.shape.moveCells(selectedCells(context), -1),
  },
  {
    id: 'cell.moveDown',
    title: 'Move cell down',
    keys: ['Alt+ArrowDown'],
    mode: 'any',
    group: 'cell',
    yields: true,
    menu: { cell: 2 },
    when: hasFocus,
    run: (context) => void context.session.shape.moveCells(selectedCells(context), 1),
  },
  {
    id: 'cell.split',
    title: 'Split cell at cursor',
    keys: ['Mod+Shift+-'],
    mode: 'edit',
    group: 'cell',
    when: ({ page }) => (page.caretOffset() === null ? W.needsText : true),
    run: ({ session, view, page }) => {
      const offset = page.caretOffset();
      if (view.focusedId !== null && offset !== null) void session.shape.splitCell(view.focusedId, offset);
    },
  },
  {
    id: 'cell.splitBlocks',
    title: 'Split cell into its blocks',
    keys: [],
    mode: 'any',
    group: 'cell',
    menu: { cell: 2 },
    when: ({ view }) => (blocksOfFocused(view).length > 1 ? true : W.needsBlocks),
    run: onFocusedCell(({ session, view }, id) => void session.shape.splitInto(id, blocksOfFocused(view))),
  },
  {
    id: 'cell.duplicate',
    title: 'Duplicate cell',
    keys: ['Shift+d'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 2 },
    when: hasFocus,
    run: (context) => {
      const { session, view } = context;
      const ids = selectedCells(context);
      const cells = ids.flatMap((id) => {
        const language = view.model.cells[id]?.cell.language;
        return language === undefined ? [] : [{ language, source: shownSource(view, id) }];
      });
      void session.shape.insertCells(cells, { afterId: ids.at(-1) ?? null, deed: 'add' });
    },
  },
  {
    id: 'cell.foldSection',
    title: 'Fold or unfold section',
    keys: [],
    mode: 'any',
    group: 'cell',
    menu: { cell: 4 },
    when: ({ view }) => (sectionAround(view) === null ? W.needsSection : true),
    run: ({ session, view }) => {
      const id = sectionAround(view);
      if (id !== null) foldSection(session.store, id, view.foldedSections[id] !== true);
    },
  },
  {
    id: 'cell.foldSections',
    title: 'Fold all sections',
    keys: [],
    mode: 'any',
    group: 'cell',
    when: ({ view }) => (sectionIds(view).length > 0 ? true : W.noSections),
    run: ({ session }) => foldAllSections(session.store, true),
  },
  {
    id: 'cell.unfoldSections',
    title: 'Unfold all sections',
    keys: [],
    mode: 'any',
    group: 'cell',
    when: ({ view }) => (Object.keys(view.foldedSections).length > 0 ? true : W.noSections),
    run: ({ session }) => foldAllSections(session.store, false),
  },
  {
    id: 'cell.merge',
    title: 'Merge selected cells, or merge with cell below',
    keys: ['Shift+m'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 2 },
    when: (context) => (mergeable(context).length > 1 ? true : W.needsSeveral),
    run: (context) => void context.session.shape.mergeCells(mergeable(context)),
  },
  ...OFFERED_LANGUAGES.map(changeLanguageCommand),
  ...OTHER_LANGUAGES.map(addCellCommand),
  addCellCommand('markdown'),
  ...[1, 2, 3, 4, 5, 6].map(heading),
  {
    id: 'cell.foldOutput',
    title: 'Show or hide output',
    keys: ['o'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 4 },
    when: hasFocus,
    run: (context) => {
      const ids = selectedCells(context);
      context.session.fold(ids, !ids.every((id) => context.view.folded[id] === true));
    },
  },
  {
    id: 'cell.iterations',
    title: 'Show or hide loop iterations',
    keys: ['Shift+o'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 4 },
    when: firstObstacle(hasFocus, ({ view }) => (loopOfFocused(view) === null ? LOOP_WORDS.needsLoop : true)),
    run: onFocusedCell(({ session, view }, id) => session.showIterations(id, view.iterations[id] !== true)),
  },
  {
    id: 'cell.lookInside',
    title: CELL_CONSOLE_WORDS.look,
    keys: ['Mod+Shift+l'],
    mode: 'any',
    group: 'cell',
    menu: { cell: 4 },
    when: firstObstacle(hasFocus, isLive, canLookInside),
    run: onFocusedCell(({ session }, id) => {
      layoutStore.getState().showPanel('cellConsole');
      session.consoles.look(id);
    }),
  },
];

function canLookInside(context: CommandContext): true | string {
  const { focusedId, model } = context.view;
  if (model.meta?.untrusted !== undefined) return CELL_CONSOLE_WORDS.untrusted;
  return focusedId !== null && isText(context, focusedId) ? CELL_CONSOLE_WORDS.needsCode : true;
}

function loopOfFocused({ focusedId, model }: NotebookView) {
  const focused = focusedId === null ? undefined : model.cells[focusedId];
  return focused === undefined ? null : loopOfCell(focused.cell);
}

/** The blocks into which the focused Python cell can be split; empty for a cell of another language. */
function blocksOfFocused(view: NotebookView): readonly ClipCell[] {
  const id = view.focusedId;
  if (id === null || factsOf(view.model.cells[id]?.cell)?.hasServices !== true) return [];
  return blocksOf(shownSource(view, id));
}

/** The selected cells, or the focused one and the next. */
function mergeable(context: CommandContext): readonly string[] {
  const ids = selectedCells(context);
  if (ids.length !== 1) return ids;
  const order = shownOrder(context.view);
  const at = order.indexOf(ids[0] ?? '');
  return order.slice(at, at + 2);
}
