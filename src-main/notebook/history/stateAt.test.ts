import { expect, test } from 'vitest';
import type { CellVersion } from './cellVersions.ts';
import { changesOf, stateAt } from './stateAt.ts';

/** Versions written oldest first, each `moment text` with `x` for a deletion and `-` for an empty text. */
function versionsOf(line: string): readonly CellVersion[] {
  const parts = line === '' ? [] : line.split(' ');
  return parts
    .map((part): CellVersion => {
      const [, at = '', text = ''] = /^(\d+)(.+)$/.exec(part) ?? [];
      const why = text === 'x' ? 'deleted' : 'edit';
      return { id: part, atMs: Number(at), why, author: null, sha: text, lines: text === '-' ? 0 : 1 };
    })
    .reverse();
}

test.each<[string, string, number, boolean, string]>([
  ['of which nothing is stored', '', 5, true, 'unchanged'],
  ['after the newest version', '1a 2b', 5, true, 'unchanged'],
  ['at the moment of a version', '1a 4b', 4, true, 'unchanged'],
  ['between two versions', '1a 4b', 3, true, '1a'],
  ['at the moment of an earlier version', '1a 4b', 1, true, '1a'],
  ['before its first change, if it had a text', '3a 4b', 1, true, '3a'],
  ['before it was created', '3- 4b', 1, true, 'absent'],
  ['while it was new', '3- 4b', 3, true, '3-'],
  ['after a deletion', '1a 4x', 5, false, 'absent'],
  ['before a deletion', '1a 4x', 3, false, '1a'],
  ['after a deletion that was undone', '1a 4x', 5, true, 'unchanged'],
  ['while it was deleted, although it was restored and edited later', '1a 4x 8b', 5, true, 'absent'],
])('[HI-26] the state of a cell %s', (_name, line, atMs, present, expected) => {
  const then = stateAt(versionsOf(line), { atMs, present });
  expect(then.kind === 'version' ? then.version.id : then.kind).toBe(expected);
});

test('[HI-26] the empty text of a new cell is not a change; an emptied text is', () => {
  expect(changesOf(versionsOf('1- 2a 3- 4b')).map(({ id }) => id)).toEqual(['4b', '3-', '2a']);
  expect(changesOf(versionsOf('1a 2-')).map(({ id }) => id)).toEqual(['2-', '1a']);
});
