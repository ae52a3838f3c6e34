/**
 * Runs cells whose turn has not come yet in processes of their own, so that several cells of one run work at the same
 * time.
 */

import { randomUUID } from 'node:crypto';
import type { ConsoleText } from '../../exec/executor.ts';
import { runStep } from '../../run/runStep.ts';
import { isPythonStep, type PythonStep, type StepOutcome, type StepRequest } from '../../run/step.ts';
import type { StepOptions, StepTools } from '../../run/stepTools.ts';

/** Limit for the output of a cell that runs before its turn; its result always includes the tail. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

/** A cell that runs before its turn. It stores and shows nothing until it is taken. */
interface AheadRun {
  /** The id of the run, which is also the name of its log. */
  readonly runId: string;
  /** Called when the cell's turn has come: its output is sent and its result stored, as if it began now. */
  take(options: Omit<StepOptions, 'runId'>): Promise<StepOutcome>;
  /** Ends it and discards everything it produced. */
  drop(): void;
}

/** The cells of one run that work before their turn. */
export interface AheadRuns {
  /** Starts these and ends all other runs that have not been taken. */
  setRequests(requests: readonly PythonStep[]): void;
  /** The run for exactly this request; null if there is none. The caller takes or drops it. */
  find(request: StepRequest): AheadRun | null;
  close(): Promise<void>;
}

/**
 * Cells of one run that work at the same time (docs/extensions.md). Owns their processes until `find` hands
 * them out.
 */
export function createAheadRuns(tools: Omit<StepTools, 'inBackground'>): AheadRuns {
  const runs = new Map<string, { readonly request: PythonStep; readonly run: AheadRun }>();
  const working = new Set<Promise<unknown>>();
  let closed = false;

  const track = (work: Promise<unknown>): void => {
    const tracked = work.catch(() => {}); // `take` reports the error; nothing waits for a dropped run
    working.add(tracked);
    void tracked.finally(() => working.delete(tracked));
  };
  const begin = (request: PythonStep): AheadRun => {
    const { run, outcome } = startAhead({ ...tools, inBackground: track }, request);
    track(outcome);
    return run;
  };
  return {
    setRequests(requests) {
      const targets = new Map<string, PythonStep>(requests.map((request) => [request.cellId, request]));
      for (const [id, { request, run }] of runs) {
        const still = targets.get(id);
        if (still !== undefined && isSame(still, request)) continue;
        runs.delete(id);
        run.drop();
      }
      for (const [id, request] of targets) {
        if (!closed && !runs.has(id)) runs.set(id, { request, run: begin(request) });
      }
    },
    find(request) {
      const run = runs.get(request.cellId);
      if (run === undefined) return null;
      runs.delete(request.cellId);
      if (isPythonStep(request) && isSame(run.request, request)) return run.run;
      run.run.drop();
      return null;
    },
    async close() {
      closed = true;
      for (const { run } of runs.values()) run.drop();
      runs.clear();
      while (working.size > 0) await Promise.all([...working]);
    },
  };
}

/** Ends a run that reached its gate after it was dropped; never shown. */
class DroppedRun extends Error {}

function startAhead(tools: StepTools, request: PythonStep): { run: AheadRun; outcome: Promise<StepOutcome> } {
  const runId = randomUUID();
  const controller = new AbortController();
  let mine: Omit<StepOptions, 'runId'> | null = null;
  let reachTurn: (is: boolean) => void = () => {};
  const turn = new Promise<boolean>((resolve) => {
    reachTurn = resolve;
  });
  let early: ConsoleText[] = [];
  let earlyLength = 0;
  let waitedMs = 0;
  const keep = (text: ConsoleText): void => {
    early.push(text);
    earlyLength += text.text.length;
    while (earlyLength > KEPT_CHARACTERS) earlyLength -= early.shift()?.text.length ?? earlyLength;
  };
  // Whether the store answers was decided before the run began.
  const outcome = runStep(
    tools,
    { ...request, useCache: false },
    {
      runId,
      signal: controller.signal,
      // Before its turn nothing waits for the clean-up of the cell.
      patience: {
        isPatient: () => mine?.patience?.isPatient() ?? false,
        onHarder: (harder) => mine?.patience?.onHarder(harder) ?? (() => {}),
      },
      onConsole: (text) => (mine === null ? keep(text) : mine.onConsole(text)),
      onStopSignal: (signal) => mine?.onStopSignal?.(signal),
      // The process has ended; nothing is stored before its turn.
      isCurrent: async () => {
        const since = performance.now();
        if (!(await turn)) throw new DroppedRun();
        waitedMs = performance.now() - since;
        return (await mine?.isCurrent?.()) ?? true;
      },
    },
  );
  const run: AheadRun = {
    runId,
    async take(options) {
      mine = options;
      for (const text of early) options.onConsole(text);
      early = [];
      const stop = (): void => controller.abort();
      options.signal.addEventListener('abort', stop, { once: true });
      if (options.signal.aborted) stop();
      reachTurn(true);
      const earlyOutcome = await outcome;
      options.signal.removeEventListener('abort', stop);
      return { ...earlyOutcome, durationMs: Math.max(0, earlyOutcome.durationMs - waitedMs) };
    },
    drop() {
      controller.abort();
      reachTurn(false);
    },
  };
  return { run, outcome };
}

/** Whether two requests ask for the same work and store it under the same keys. */
function isSame(a: PythonStep, b: PythonStep): boolean {
  return a.modules === b.modules && textOf(a) === textOf(b);
}

function textOf(request: PythonStep): string {
  const { source, provenanceHash, contentKey, unlockedKey, envHash, useCache, cacheable, leaves } = request;
  const { consumed, mutationDefines, below, defines, env, timeoutSeconds, interpreter, inputs } = request;
  const values = inputs.map(({ variable, variant, row }) => [variable, variant, row?.id, row?.version]);
  const key = [source, provenanceHash, contentKey, unlockedKey, envHash, useCache, cacheable, leaves];
  const names = [consumed, mutationDefines, below, defines];
  return JSON.stringify([key, names, env, timeoutSeconds, interpreter, values]);
}
