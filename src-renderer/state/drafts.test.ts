import { expect, test } from 'vitest';
import {
  afterFullState,
  type Draft,
  type Drafts,
  withAccepted,
  withOverwrite,
  withSent,
  withTyped,
  withWriteRefused,
} from './drafts.ts';

const BASE = 'import a\n\nx = 1\n\nprint(x)';
const MINE = BASE.replace('print(x)', 'print(x + 1)');
const THEIRS = BASE.replace('import a', 'import b');
const BOTH = MINE.replace('import a', 'import b');

const typing = (text: string): Drafts => withTyped({}, 'c', { text, serverSource: BASE });
const draftAfter = (drafts: Drafts, text: string): Draft | undefined =>
  afterFullState(drafts, { sources: new Map([['c', text]]), isAnswered: false })['c'];

test.each([
  ['text that was only typed', typing(MINE)],
  ['text that was being sent', withSent(typing(MINE), 'c')],
  ['text that was in conflict', withWriteRefused(typing(MINE), 'c', { error: 'no', base_source: BASE })],
  [
    'text that the server had accepted',
    withWriteRefused({}, 'c', { error: 'no', source: MINE, base_source: BASE }),
  ],
])(
  '[NF-53] %s is merged with others’ changes of other lines, and sent with their text as the base',
  (_name, drafts) => {
    expect(draftAfter(drafts, THEIRS)).toEqual({
      text: BOTH,
      base: THEIRS,
      state: 'typed',
      sent: [],
      reason: null,
      merged: { mine: MINE, insist: false },
    });
  },
);

test('[NF-53] text typed after the merge belongs to it, and overrides the file’s lock if the person insists', () => {
  const merged = afterFullState(typing(MINE), { sources: new Map([['c', THEIRS]]), isAnswered: false });
  const more = withOverwrite(withTyped(merged, 'c', { text: `${BOTH}\n# more`, serverSource: THEIRS }), 'c');
  expect(more['c']).toMatchObject({ state: 'typed', base: THEIRS, merged: { mine: MINE, insist: true } });
  const out = withSent(more, 'c');
  expect(out['c']).toMatchObject({ state: 'sent', sent: [`${BOTH}\n# more`], merged: { mine: MINE } });
  expect(withAccepted(out, 'c')).toEqual({});
  const typedOn = withAccepted(withTyped(out, 'c', { text: 'more', serverSource: '' }), 'c');
  expect(typedOn['c']).not.toHaveProperty('merged');
  expect(withOverwrite(typing(MINE), 'c')).toEqual(typing(MINE));
});

test('[NF-53] typing continues from a merge that the server made', () => {
  const more = withTyped(withSent(typing(MINE), 'c'), 'c', { text: `${MINE}\n# more`, serverSource: MINE });
  expect(draftAfter(withAccepted(more, 'c'), BOTH)).toMatchObject({ text: `${BOTH}\n# more`, base: BOTH });
});

test('[NF-54] without a common base nothing is merged: the person chooses', () => {
  const refused = withWriteRefused({}, 'c', { error: 'no', source: MINE });
  expect(draftAfter(refused, THEIRS)).toMatchObject({ text: MINE, state: 'refused', reason: 'no' });
});

test('[NF-54] changes of the same lines wait until the person chooses', () => {
  const theirs = BASE.replace('print(x)', 'print(2)');
  const undecided = afterFullState(typing(MINE), { sources: new Map([['c', theirs]]), isAnswered: false });
  expect(undecided['c']).toMatchObject({ text: MINE, base: BASE, state: 'refused', sent: [] });
  const marked = withTyped(undecided, 'c', { text: '<<<<<<< mine', serverSource: theirs });
  expect(marked['c']).toMatchObject({ text: '<<<<<<< mine', state: 'refused' });
  // The other text equals the typed one, so nothing is left to choose.
  expect(afterFullState(undecided, { sources: new Map([['c', MINE]]), isAnswered: false })).toEqual({});
});
