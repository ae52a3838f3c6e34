/** The part of a model's response to a prompt cell that has arrived so far, updated frame by frame. */

import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';
import type { AnswerProgress } from './notebookModel.ts';

/** The most characters shown of a response that is still arriving; its end is shown. The result contains all of it. */
const SHOWN = 100_000;
const MAX_NOTICES = 5;

const NOTHING: AnswerProgress = { attempt: 1, text: '', retriedFor: null, notices: [] };

/**
 * The response after one more frame: `delta` appends text, `retry` starts over, `notice` adds a remark
 * (docs/spec/live-protocol.md, 5.1).
 */
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
