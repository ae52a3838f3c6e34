/** Turns the reports of a running step into facts of the session. */

import type { Redactor } from '../../lib/redactor.ts';
import type { StepRequest } from '../../run/step.ts';
import type { StepOptions } from '../../run/stepTools.ts';
import type { SessionFact } from '../state/events.ts';
import { type LiveText, liveDeltas, liveText } from '../view/hiding.ts';

/** The callbacks by which a step reports its progress. */
type ReportCallbacks = Required<
  Pick<StepOptions, 'onConsole' | 'onDelta' | 'onIteration' | 'onVariant' | 'onStopSignal' | 'onProgress'>
>;

/** The reports of a running step, as facts for its session, with secret values hidden. */
export function stepReports(
  report: (fact: SessionFact) => void,
  { runId, request }: { readonly runId: string; readonly request: StepRequest },
  redactor: () => Redactor,
): { readonly callbacks: ReportCallbacks /** Sends the buffered reports. */; readonly end: () => void } {
  const { cellId } = request;
  // Asked with the first text: the start of the cell may have added a value to hide.
  let printing: LiveText | null = null;
  const printed = (): LiveText => {
    printing ??= liveText(redactor(), ({ stream, text }) =>
      report({ type: 'step_console', runId, cellId, stream, text }),
    );
    return printing;
  };
  const deltas = liveDeltas(redactor(), (delta) => report({ type: 'step_delta', runId, cellId, delta }));
  return {
    callbacks: {
      onConsole: (text) => printed().push(text),
      onDelta: deltas.push,
      onIteration: (progress) => report({ type: 'step_iterated', runId, cellId, progress }),
      onVariant: (progress) => report({ type: 'step_variant', runId, cellId, progress }),
      onProgress: (progress) => report({ type: 'step_remote', runId, cellId, progress }),
      onStopSignal: (signal) => report({ type: 'step_stopping', runId, cellId, signal }),
    },
    end: () => {
      printing?.end();
      deltas.end();
    },
  };
}
