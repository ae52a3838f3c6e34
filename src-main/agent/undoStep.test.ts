import { describe, expect, it } from 'vitest';
import { type UndoChange, withChange } from './undoStep.ts';

const source = (before: string, after: string): UndoChange => ({
  kind: 'source',
  cellId: 'a',
  before,
  after,
});
const added: UndoChange = { kind: 'added', cellId: 'a' };
const deleted: UndoChange = { kind: 'deleted', cellId: 'a' };

describe('[AG-22] the changes of a job as one step', () => {
  it.each<readonly [string, readonly UndoChange[], readonly UndoChange[]]>([
    ['two edits are one', [source('1', '2'), source('2', '3')], [source('1', '3')]],
    ['an edit and its reverse are none', [source('1', '2'), source('2', '1')], []],
    ['edits of an added cell belong to it', [added, source('1', '2')], [added]],
    ['a cell that came and went is none', [added, source('1', '2'), deleted], []],
    ['a deletion after an edit keeps both', [source('1', '2'), deleted], [source('1', '2'), deleted]],
  ])('%s', (_what, made, expected) => {
    expect(made.reduce<readonly UndoChange[]>(withChange, [])).toEqual(expected);
  });
});
