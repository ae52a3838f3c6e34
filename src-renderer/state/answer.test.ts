import { describe, expect, it } from 'vitest';
import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';
import { answerAfter } from './answer.ts';
import type { AnswerProgress } from './notebookModel.ts';

type Frame = readonly [ServerPayload<'cell_output_delta'>['kind'], number, string];

interface Row {
  readonly name: string;
  readonly frames: readonly Frame[];
  readonly shown: AnswerProgress;
}

const ROWS: readonly Row[] = [
  {
    name: 'pieces are appended',
    frames: [
      ['delta', 1, 'a'],
      ['delta', 1, 'b'],
    ],
    shown: { attempt: 1, text: 'ab', retriedFor: null, notices: [] },
  },
  {
    name: 'a retry removes the earlier pieces',
    frames: [
      ['delta', 1, 'wrong'],
      ['retry', 2, 'n: must be integer'],
      ['delta', 2, 'ok'],
    ],
    shown: { attempt: 2, text: 'ok', retriedFor: 'n: must be integer', notices: [] },
  },
  {
    name: 'a notice is shown next to it',
    frames: [
      ['notice', 1, 'busy'],
      ['delta', 1, 'a'],
    ],
    shown: { attempt: 1, text: 'a', retriedFor: null, notices: ['busy'] },
  },
  {
    name: 'of a long answer only the end is drawn',
    frames: [
      ['delta', 1, 'a'.repeat(100_000)],
      ['delta', 1, 'z'],
    ],
    shown: { attempt: 1, text: `${'a'.repeat(99_999)}z`, retriedFor: null, notices: [] },
  },
];

describe('[PR-12] an answer in progress', () => {
  for (const { name, frames, shown } of ROWS) {
    it(name, () => {
      const after = frames.reduce<AnswerProgress | null>(
        (before, [kind, attempt, text]) => answerAfter(before, { cell_id: 'p', kind, attempt, text }),
        null,
      );
      expect(after).toEqual(shown);
    });
  }
});
