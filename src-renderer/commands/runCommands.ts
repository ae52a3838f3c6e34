/** Commands that run and stop cells: part of the command table (registry.ts). */

import { runsAbove, setRunsAbove } from '../state/runAbove.ts';
import { countNotUpToDate } from '../state/undecided.ts';
import { shownOrder } from '../state/variants.ts';
import { COMMAND_WORDS as W } from '../words/commands.ts';
import type { Command, CommandContext } from './command.ts';
import {
  codeCells,
  firstObstacle,
  hasCode,
  hasFocus,
  isLive,
  isText,
  onFocusedCell,
  selectedCells,
} from './conditions.ts';

/** Runs a cell. False if a conflict got the focus instead: the focus must then stay there. */
function runOne(context: CommandContext, id: string): boolean {
  const { session } = context;
  if (!isText(context, id)) return session.runs.run(id);
  session.edits.save(id);
  return true;
}

function runSelected(context: CommandContext): boolean {
  const ids = selectedCells(context);
  const [only] = ids;
  if (only === undefined) return true;
  return ids.length === 1 ? runOne(context, only) : context.session.runs.runCells(codeCells(context, ids));
}

const isRunning = ({ view }: CommandContext): true | string =>
  view.model.queue.length > 0 ||
  Object.keys(view.asked).length > 0 ||
  view.model.order.some((id) => view.model.cells[id]?.cell.status === 'running')
    ? true
    : W.nothingRuns;

/** The code cells above the focused one, or those from the focused one to the end. */
function codeCellsBeside(context: CommandContext, side: 'above' | 'below'): readonly string[] {
  const { order } = context.view.model;
  const at = order.indexOf(context.view.focusedId ?? '');
  return codeCells(context, side === 'above' ? order.slice(0, at) : order.slice(at));
}

export const RUN_COMMANDS: readonly Command[] = [
  {
    id: 'cell.run',
    title: 'Run cell',
    keys: ['Mod+Enter'],
    mode: 'any',
    group: 'run',
    menu: { cell: 0 },
    when: hasFocus,
    run: (context) => {
      const { editingTests } = context.view;
      if (editingTests !== null) {
        void context.session.tests.run(editingTests.cellId);
        return;
      }
      runSelected(context);
      context.session.leaveEdit();
    },
  },
  {
    id: 'cell.runAndAdvance',
    title: 'Run cell and go to next',
    keys: ['Shift+Enter'],
    mode: 'any',
    group: 'run',
    when: hasFocus,
    run: (context) => {
      const { session, view } = context;
      if (!runSelected(context)) return;
      const last = selectedCells(context).at(-1) ?? '';
      const order = shownOrder(view);
      const next = order[order.indexOf(last) + 1];
      if (next === undefined) void session.shape.addCell({ afterId: last, language: 'python' });
      else session.focus(next, 'command');
    },
  },
  {
    id: 'cell.runAndInsert',
    title: 'Run cell and add cell below',
    keys: ['Alt+Enter'],
    mode: 'any',
    group: 'run',
    when: hasFocus,
    run: (context) => {
      if (!runSelected(context)) return;
      const last = selectedCells(context).at(-1) ?? null;
      void context.session.shape.addCell({ afterId: last, language: 'python' });
    },
  },
  {
    id: 'cell.rerun',
    title: 'Rerun cell without cache',
    keys: [],
    mode: 'any',
    group: 'run',
    menu: { cell: 0 },
    submenu: W.runMore,
    when: hasCode,
    run: onFocusedCell(({ session }, id) => session.runs.rerun(id)),
  },
  {
    id: 'cell.stop',
    title: 'Stop cell',
    keys: ['i i'],
    mode: 'command',
    group: 'run',
    menu: { cell: 0 },
    when: firstObstacle(hasFocus, isRunning),
    run: onFocusedCell(({ session }, id) => session.runs.cancel(id)),
  },
  {
    id: 'run.above',
    title: 'Run all above',
    keys: [],
    mode: 'any',
    group: 'run',
    menu: { cell: 0 },
    submenu: W.runMore,
    when: firstObstacle(isLive, hasFocus),
    run: (context) => void context.session.runs.runCells(codeCellsBeside(context, 'above')),
  },
  {
    id: 'run.below',
    title: 'Run this cell and all below',
    keys: [],
    mode: 'any',
    group: 'run',
    menu: { cell: 0 },
    submenu: W.runMore,
    when: firstObstacle(isLive, hasFocus),
    run: (context) => void context.session.runs.runCells(codeCellsBeside(context, 'below')),
  },
  {
    id: 'run.all',
    title: 'Run all',
    keys: ['Mod+Shift+Enter'],
    mode: 'any',
    group: 'run',
    menu: { notebook: 0 },
    when: isLive,
    run: ({ session }) => session.runs.runAll({ rerun: false }),
  },
  {
    id: 'run.stale',
    title: 'Run stale cells',
    keys: ['Mod+Alt+Enter'],
    mode: 'any',
    group: 'run',
    menu: { notebook: 0 },
    when: firstObstacle(isLive, ({ view }) => (countNotUpToDate(view) > 0 ? true : W.nothingStale)),
    run: ({ session }) => session.runs.runStale(),
  },
  {
    id: 'run.rerunAll',
    title: 'Rerun all without cache',
    keys: [],
    mode: 'any',
    group: 'run',
    menu: { notebook: 0 },
    when: isLive,
    run: ({ session }) => session.runs.runAll({ rerun: true }),
  },
  {
    id: 'run.askAbove',
    title: 'Ask before running cells above',
    keys: [],
    mode: 'any',
    group: 'run',
    when: ({ view }) => (runsAbove(view.path) ? true : W.asksAbove),
    run: ({ view }) => view.path !== null && setRunsAbove(view.path, false),
  },
  {
    id: 'run.stopAll',
    title: 'Stop all',
    keys: [],
    mode: 'any',
    group: 'run',
    menu: { notebook: 0 },
    when: isRunning,
    run: ({ session }) => session.runs.cancelAll(),
  },
];
