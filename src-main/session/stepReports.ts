import type { StepRequest } from '../run/step.ts';
import type { StepOptions } from '../run/stepParts.ts';
import type { SessionFact } from './events.ts';

/** What a running step says of itself, as the facts its session hears. */
export function stepReports(
  report: (fact: SessionFact) => void,
  { runId, request }: { readonly runId: string; readonly request: StepRequest },
): Required<Pick<StepOptions, 'onIteration' | 'onVariant' | 'onStopSignal'>> {
  const { cellId } = request;
  return {
    onIteration: (progress) => report({ type: 'step_iterated', runId, cellId, progress }),
    onVariant: (progress) => report({ type: 'step_variant', runId, cellId, progress }),
    onStopSignal: (signal) => report({ type: 'step_stopping', runId, cellId, signal }),
  };
}
