/** Builds the live frames of consoles inside cells (docs/spec/live-protocol.md, 5.1). */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import { isOutputFailure } from '../../../src-shared/wire/harness.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { InspectAnswer, InspectDisplay, InspectStart } from '../../exec/inspection.ts';
import { failedOutput, outputOf } from '../../run/displays.ts';

type Payload = ServerPayload<'inspect_result'>;

/** The reply to the opening of a console, or why it could not be opened. */
export function inspectStartPayload(cellId: CellId, start: InspectStart): Payload {
  const to = { cell_id: cellId, action: 'open' as const };
  if (start.kind === 'failed') {
    return { ...to, ok: false, result: start.message, type: 'str', error: start.message };
  }
  const missing = Object.entries(start.unread).map(([name, reason]) => ({ name, reason }));
  return { ...to, ok: true, result: 'ready', type: 'str', ...(missing.length === 0 ? {} : { missing }) };
}

/** The reply to a request whose console ends before it was answered. */
export function inspectUnansweredPayload(
  cellId: CellId,
  { expr, why }: { readonly expr: string | null; readonly why: string },
): Payload {
  if (expr === null) return inspectStartPayload(cellId, { kind: 'failed', message: why });
  return { cell_id: cellId, action: 'eval', expr, ok: false, error: why };
}

/** The text for an empty output. */
const NO_OUTPUT = '(no output)';
/** Maximum length of a result (docs/spec/tests-and-consoles.md, 2), including what a statement printed. */
const MAX_RESULT_CHARACTERS = 4_000;

/** The reply to an evaluation in a console. */
export function inspectAnswerPayload(
  cellId: CellId,
  { expr, answer }: { readonly expr: string; readonly answer: InspectAnswer },
): Payload {
  const { stdout, stderr } = answer;
  const displays = answer.displays.map(displayOf);
  const both = {
    ...(stdout === '' ? {} : { stdout }),
    ...(stderr === '' ? {} : { stderr }),
    ...(displays.length === 0 ? {} : { displays }),
    duration_ms: Math.round(answer.durationMs),
  };
  const to = { cell_id: cellId, action: 'eval' as const, expr };
  if (answer.kind !== 'value') return { ...to, ok: false, error: failureMessage(answer), ...both };
  const { result, type } = answer;
  if (result !== null) return { ...to, ok: true, result, type, ...both };
  const printed =
    stdout.length <= MAX_RESULT_CHARACTERS ? stdout : `${stdout.slice(0, MAX_RESULT_CHARACTERS - 1)}…`;
  return { ...to, ok: true, result: printed || NO_OUTPUT, type, statement: true, ...both };
}

function failureMessage(answer: Exclude<InspectAnswer, { kind: 'value' }>): string {
  if (answer.kind === 'ended' || answer.stopped === null) return answer.error;
  if (answer.stopped === 'asked') return 'Stopped.';
  return 'Stopped after 10 s. Run longer computations in a cell.';
}

/** The whole display is included: nothing is stored, so nothing can be requested later. */
function displayOf(display: InspectDisplay): Output {
  if (isOutputFailure(display)) return failedOutput(display.error);
  const output = outputOf(display, null);
  const { data } = display;
  if (data !== undefined) {
    return { ...output, inline_data_url: `data:${display.content_type};base64,${data}` };
  }
  if (output.content_type === 'text/markdown' && typeof output.preview === 'string') {
    return { ...output, markdown_text: output.preview };
  }
  return output;
}
