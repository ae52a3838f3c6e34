import { expect, it } from 'vitest';
import {
  type CellConsole,
  type CellConsoles,
  type ConsoleAnswer,
  withAnswer,
  withClosedConsole,
  withExpression,
  withInterrupt,
  withLostConnection,
  withOpenConsole,
  withRefusedStart,
} from './cellConsole.ts';
import { indentAfter, isIncompleteInput } from './consoleInput.ts';

type Step = (all: CellConsoles) => CellConsoles;

const open: Step = (all) => withOpenConsole(all, 'a', '1');
const ready: Step = answer({ action: 'open', ok: true, result: 'ready' });
const ask =
  (expr: string): Step =>
  (all) =>
    withExpression(all, 'a', expr);
const stop: Step = (all) => withInterrupt(all, 'a');

function answer(fields: Omit<ConsoleAnswer, 'cell_id'>): Step {
  return (all) => withAnswer(all, { cell_id: 'a', ...fields });
}

function after(...steps: readonly Step[]): CellConsole | undefined {
  return steps.reduce((all, step) => step(all), {} as CellConsoles)['a'];
}

function gist(cellConsole: CellConsole | undefined) {
  const entries = cellConsole?.entries.map(({ expr, answer: came }) =>
    came === null ? `${expr}…` : `${expr}: ${came.ok ? came.result : came.error}`,
  );
  return [cellConsole?.state, cellConsole?.stopping, entries, cellConsole?.note];
}

const one = { action: 'eval', ok: true, expr: '1', result: '1', type: 'int' } as const;
const ended: Step = (all) => withClosedConsole(all, { cell_id: 'a', reason: 'ended', message: 'It ended.' });

it.each<readonly [string, readonly Step[], readonly unknown[]]>([
  ['is being opened', [open], ['starting', false, [], null]],
  ['is open', [open, ready], ['ready', false, [], null]],
  [
    'did not open',
    [open, answer({ action: 'open', ok: false, result: 'no', type: 'str' })],
    ['closed', false, [], 'no'],
  ],
  [
    'was opened twice, and gets the answer to the first opening before that to the second',
    [open, open, answer({ action: 'open', ok: false, result: 'over', type: 'str' }), ready],
    ['ready', false, [], null],
  ],
  [
    'was refused',
    [open, (all) => withRefusedStart(all, { error: 'busy', cell_id: 'a' })],
    ['closed', false, [], 'busy'],
  ],
  [
    'is not affected by a refusal of another cell, nor by any once it is open',
    [open, (all) => withRefusedStart(all, { error: 'busy', cell_id: 'b' }), ready],
    ['ready', false, [], null],
  ],
  ['evaluates', [open, ready, ask('1')], ['ready', false, ['1…'], null]],
  ['has answered', [open, ready, ask('1'), answer(one)], ['ready', false, ['1: 1'], null]],
  [
    'answers in order',
    [open, ready, ask('1'), ask('1'), ask('2'), answer(one)],
    ['ready', false, ['1: 1', '1…', '2…'], null],
  ],
  ['gets an answer without a request', [open, ready, answer(one)], ['ready', false, [], null]],
  ['is being stopped', [open, ready, ask('1'), stop], ['ready', true, ['1…'], null]],
  ['has stopped', [open, ready, ask('1'), stop, answer(one)], ['ready', false, ['1: 1'], null]],
  ['has nothing to stop', [open, ready, stop], ['ready', false, [], null]],
  ['ended', [open, ready, ask('1'), ended], ['closed', false, ['1: It ended.'], 'It ended.']],
  [
    'survives a lost connection, but its pending answer does not',
    [open, ready, ask('1'), (all) => withLostConnection(all, 'lost')],
    ['ready', false, ['1: lost'], null],
  ],
  ['is lost while it opens', [open, (all) => withLostConnection(all, 'lost')], ['closed', false, [], 'lost']],
  ['is started over', [open, ready, ask('1'), ended, open], ['starting', false, [], null]],
])('[IN-10] a console that %s', (_name, steps, expected) => {
  expect(gist(after(...steps))).toEqual(expected);
});

it('[IN-10] the history survives a restart, without repeats', () => {
  expect(after(open, ready, ask('1'), ask('1'), ask('2'), open)?.history).toEqual(['1', '2']);
});

it.each<readonly [string, boolean, string]>([
  ['1 + 1', false, ''],
  ['for i in x:', true, '    '],
  ['for i in x:\n    print(i)', true, '    '],
  ['for i in x:\n    print(i)\n', false, ''],
  ['if x:  # why', true, '    '],
  ['f(1,', true, ''],
  ['f("(")', false, ''],
  ["x = 'it''s (' # (", false, ''],
  ['"""text', true, ''],
  ['"""text"""', false, ''],
  ['x = 1 + \\', true, ''],
  ['    indented', false, '    '],
])('[IN-10] Enter after %j continues the input: %s', (text, more, indent) => {
  expect([isIncompleteInput(text), indentAfter(text)]).toEqual([more, indent]);
});
