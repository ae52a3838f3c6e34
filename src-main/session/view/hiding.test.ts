import { describe, expect, it } from 'vitest';
import { omittedText } from '../../exec/tailBuffer.ts';
import { createRedactor } from '../../lib/redactor.ts';
import { liveText } from './hiding.ts';

type Piece = readonly ['stdout' | 'stderr', string];
const SECRET = 'abcdefghijkl';

describe('[SE-12] the console output of a run, live', () => {
  const rows: readonly {
    readonly name: string;
    readonly printed: readonly Piece[];
    readonly shown: Piece[];
  }[] = [
    {
      name: 'a value over two pieces',
      printed: [
        ['stdout', 'key abcd'],
        ['stdout', 'efghijkl.'],
      ],
      shown: [
        ['stdout', 'key '],
        ['stdout', '[hidden].'],
      ],
    },
    {
      name: 'each stream separately',
      printed: [
        ['stdout', 'abcdef'],
        ['stderr', 'ghijkl\n'],
        ['stdout', 'x'],
      ],
      shown: [
        ['stderr', 'ghijkl\n'],
        ['stdout', 'abcdefx'],
      ],
    },
    {
      name: 'pending text is shown at the end',
      printed: [['stderr', 'abcd']],
      shown: [['stderr', 'abcd']],
    },
    {
      name: 'the end of a value after text that was left out',
      printed: [
        ['stdout', 'abcdef'],
        ['stdout', `\n${omittedText(1_234_567)}`],
        ['stdout', 'fghijkl and on'],
      ],
      shown: [
        ['stdout', 'abcdef'],
        ['stdout', `\n${omittedText(1_234_567)}`],
        ['stdout', '[hidden]'],
        ['stdout', ' and on'],
      ],
    },
  ];

  it.each(rows)('$name', ({ printed, shown }) => {
    const pieces: Piece[] = [];
    const live = liveText(createRedactor([SECRET]), ({ stream, text }) => pieces.push([stream, text]));
    for (const [stream, text] of printed) live.push({ stream, text });
    live.end();
    expect(pieces).toEqual(shown);
  });
});
