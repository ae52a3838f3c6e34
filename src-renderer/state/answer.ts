/** Partial replies of prompt cells. */

import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';
import type { AnswerProgress } from './notebookModel.ts';

/** More of an answer under way than this is not drawn; its end is. The whole one comes with the result. */
const SHOWN = 100_000;
const MAX_NOTICES = 5;

const NOTHING: AnswerProgress = { attempt: 1, text: '', retriedFor: null, notices: [] };

/** The answer after one more frame: `delta` appends, `retry` starts over, `notice` is shown beside it (live-protocol 5.1). */
export function answerAfter(
  before: AnswerProgress | null,
  { kind, attempt, text }: ServerPayload<'cell_output_delta'>,
): AnswerProgress {
  const answer = before ?? NOTHING;
  switch (kind) {
    case 'delta':
      return { ...answer, attempt, text: (answer.text + text).slice(-SHOWN) };
    case 'retry':
      return { ...answer, attempt, text: '', retriedFor: text };
    case 'notice':
      return { ...answer, notices: [...answer.notices, text].slice(-MAX_NOTICES) };
  }
}
