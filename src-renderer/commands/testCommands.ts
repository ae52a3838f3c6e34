/** Commands about the tests of cells (pytest code that belongs to a cell): part of the command table (registry.ts). */

import { factsOf } from '../../src-shared/notebook/languages/languages.ts';
import { testedCells } from '../live/allTests.ts';
import { TEST_WORDS } from '../words/tests.ts';
import type { Command, CommandContext } from './command.ts';
import { firstObstacle, hasFocus, isLive, onFocusedCell } from './conditions.ts';

function focused({ view }: CommandContext) {
  return view.focusedId === null ? undefined : view.model.cells[view.focusedId];
}

const isPython: NonNullable<Command['when']> = (context) =>
  factsOf(focused(context)?.cell)?.hasTests ? true : TEST_WORDS.needsPython;

const hasTests: NonNullable<Command['when']> = (context) => {
  const { view } = context;
  const source = view.testDrafts[view.focusedId ?? '']?.text ?? focused(context)?.cell.test_source ?? '';
  return source.trim() === '' ? TEST_WORDS.needsTests : true;
};

const hasAnyTests: NonNullable<Command['when']> = ({ view }) =>
  testedCells(view).length > 0 ? true : TEST_WORDS.needsAnyTests;

const notTesting: NonNullable<Command['when']> = ({ view }) =>
  view.testQueue === null ? true : TEST_WORDS.allOn;

/** Commands of the tests of a cell. */
export const TEST_COMMANDS: readonly Command[] = [
  {
    id: 'tests.edit',
    title: 'Write tests for cell',
    keys: ['t'],
    mode: 'command',
    group: 'cell',
    menu: { cell: 3 },
    submenu: TEST_WORDS.tests,
    when: firstObstacle(hasFocus, isPython),
    run: onFocusedCell(({ session }, id) => session.tests.edit(id)),
  },
  {
    id: 'tests.run',
    title: 'Run tests of cell',
    keys: ['Shift+t'],
    mode: 'command',
    group: 'run',
    menu: { cell: 3 },
    submenu: TEST_WORDS.tests,
    when: firstObstacle(isLive, hasFocus, isPython, hasTests),
    run: onFocusedCell(({ session }, id) => void session.tests.run(id)),
  },
  {
    id: 'tests.runAll',
    title: 'Run all tests',
    keys: [],
    mode: 'any',
    group: 'run',
    menu: { notebook: 0 },
    when: firstObstacle(isLive, notTesting, hasAnyTests),
    run: ({ session }) => {
      session.edits.saveAll();
      void session.allTests.run();
    },
  },
  {
    id: 'tests.stopAll',
    title: 'Stop running all tests',
    keys: [],
    mode: 'any',
    group: 'run',
    when: ({ view }) => (view.testQueue === null ? TEST_WORDS.allOff : true),
    run: ({ session }) => void session.allTests.stop(),
  },
  {
    id: 'tests.stop',
    title: 'Stop tests of cell',
    keys: [],
    mode: 'command',
    group: 'run',
    when: (context) => (focused(context)?.testing === true ? true : TEST_WORDS.notRunning),
    run: onFocusedCell(({ session }, id) => void session.tests.stop(id)),
  },
  {
    id: 'tests.show',
    title: 'Show or hide tests of cell',
    keys: [],
    mode: 'command',
    group: 'view',
    when: firstObstacle(hasFocus, isPython),
    run: onFocusedCell(({ session, view }, id) => session.tests.show(id, view.tests[id] !== true)),
  },
];
