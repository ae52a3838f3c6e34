import { expect, test } from 'vitest';
import { capsOf, chordWords } from './chord.ts';

const ROWS: readonly [chord: string, isMac: boolean, caps: string, words: string][] = [
  ['Mod+Enter', false, 'Ctrl Enter', 'Control+Enter'],
  ['Mod+Shift+p', true, '⌘ ⇧ P', 'Command+Shift+P'],
  ['d d', false, 'D, D', 'D then D'],
  ['Alt+ArrowUp', true, '⌥ ↑', 'Option+Arrow Up'],
  ['Mod++', false, 'Ctrl +', 'Control++'],
  ['Escape', false, 'Esc', 'Escape'],
];

test.each(ROWS)(
  'the chord %s (mac: %s) is shown as key caps and spelled out',
  (chord, isMac, caps, words) => {
    const keyCaps = capsOf(chord, isMac)
      .map((press) => press.join(' '))
      .join(', ');
    expect([keyCaps, chordWords(chord, isMac)]).toEqual([caps, words]);
  },
);
