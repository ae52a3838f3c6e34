/** Performs the steps of a session's runs: starts, stops and reports them. */

import { randomUUID } from 'node:crypto';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { ModuleFacts } from '../../language/modules/closure.ts';
import { createPacer } from '../../lib/pacer.ts';
import type { Redactor } from '../../lib/redactor.ts';
import { createStop, type Stop } from '../../lib/stop.ts';
import type { DataFact } from '../../mount/dataItem.ts';
import type { RunningConsoles } from '../../notebook/stored/runningConsoles.ts';
import type { Logger } from '../../observe/log.ts';
import { runStep } from '../../run/runStep.ts';
import { isPythonStep, readsValues, type StepOutcome, type StepRequest } from '../../run/step.ts';
import type { StepOptions, StepTools } from '../../run/stepTools.ts';
import type { Effect, SessionFact } from '../state/events.ts';
import type { CurrentEnvironment } from '../state/state.ts';
import type { AheadRuns } from './aheadRuns.ts';
import type { EnvironmentDriver } from './environmentDriver.ts';
import type { KeptWidgets } from './keptWidgets.ts';
import { serverFault } from './serverFault.ts';
import { stepReports } from './stepReports.ts';

type Look = Extract<Effect, { type: 'check_step_data' }>;
type Run = Extract<Effect, { type: 'run_step' }>;

/** The stops of runs, by run id; the owner stops all when the session ends. */
export type Stops = Map<string, Stop>;

/** The I/O that the steps of a run need. */
export interface StepWork {
  /** Checks the external data that the next cell uses. */
  look(effect: Look): Promise<void>;
  /** Runs one cell. */
  run(effect: Run): Promise<void>;
  /** The run whose console is growing now; null if none is. */
  live(): { readonly cellId: CellId; readonly run: string } | null;
}

/** What performing the steps of a session needs. */
export interface StepWorkDependencies {
  readonly stepTools: Omit<StepTools, 'inBackground'>;
  readonly ahead: AheadRuns;
  readonly runningConsoles: RunningConsoles;
  readonly log: Logger;
}

type Environment = Pick<EnvironmentDriver, 'otherThan' | 'catchUp'>;

/** Whether the process of this step may stay for its widgets: it is the one run of its cell. */
function isOneRun(request: StepRequest): boolean {
  return isPythonStep(request) && request.shape === 'once';
}

/** The environment after external changes to it or its files; null if it is the one in the step's key. */
async function environmentBefore(
  environment: Environment,
  request: StepRequest,
): Promise<CurrentEnvironment | null> {
  if (!isPythonStep(request) || request.interpreter === null) return null;
  return (await environment.catchUp()) ?? otherEnvironment(environment, request);
}

/**
 * The environment, if it is not the one this Python step would run in; null if it is, or if the step needs
 * none.
 */
async function otherEnvironment(
  environment: Environment,
  request: StepRequest,
): Promise<CurrentEnvironment | null> {
  if (!isPythonStep(request) || request.interpreter === null) return null;
  return environment.otherThan(request.interpreter);
}

/** Creates the step work of one session. */
export function createStepWork(
  { stepTools, ahead, runningConsoles, log }: StepWorkDependencies,
  options: {
    readonly stops: Stops;
    readonly report: (fact: SessionFact) => void;
    readonly inBackground: StepTools['inBackground'];
    readonly redactor: () => Redactor;
    /** The local modules as they are on disk now. */
    readonly readModules: () => Promise<ModuleFacts>;
    readonly isCurrent: (request: StepRequest) => Promise<boolean>;
    /** Reads external changes to the cell's file or notebook.toml; null if there are none. */
    readonly freshText: (id: CellId) => Promise<void> | null;
    readonly environment: Environment;
    /** Keeps the processes of cells that show widgets. */
    readonly widgets: KeptWidgets;
  },
): StepWork {
  const { stops, report, inBackground, readModules } = options;
  let live: ReturnType<StepWork['live']> = null;
  // A run of many cells that the store answers is one long chain of promises, so it yields now and then.
  const betweenSteps = createPacer();
  const begin = (runId: string): Stop => {
    const stop = createStop();
    stops.set(runId, stop);
    return stop;
  };
  const look = async ({ runId, cellId, items }: Look): Promise<void> => {
    let facts: readonly DataFact[] = [];
    try {
      facts = await stepTools.data.check(items, { purpose: 'run', signal: begin(runId).signal });
    } finally {
      stops.delete(runId);
      // Also after a failure: the run continues and reports it, instead of waiting forever.
      report({ type: 'step_data_checked', runId, cellId, facts });
    }
  };
  const run = async (effect: Run): Promise<void> => {
    const { runId, request } = effect;
    const { cellId } = request;
    const early = ahead.find(request);
    const logRun = early?.runId ?? randomUUID();
    live = { cellId, run: logRun };
    const { signal, patience } = begin(runId);
    const consoleRecord = runningConsoles.begin(cellId, logRun);
    const reported = (fact: SessionFact): void => {
      if (fact.type === 'step_console') consoleRecord.push(fact);
      report(fact);
    };
    const reports = stepReports(reported, effect, options.redactor);
    const over = (): void => {
      stops.delete(runId);
      live = null;
      consoleRecord.end();
    };
    let outcome: StepOutcome;
    try {
      await betweenSteps();
      await options.widgets.end(cellId, null);
      const environment = await environmentBefore(options.environment, request);
      const before = readsValues(request) ? request.modules : null;
      const written = before === null ? null : options.freshText(cellId);
      await written;
      const modules = before === null ? null : await readModules();
      const isChanged = modules !== null && (written !== null || modules !== before);
      if ((environment !== null || isChanged) && !signal.aborted) {
        early?.drop();
        over();
        report({ type: 'step_outdated', runId, cellId, modules, environment });
        return;
      }
      const how: Omit<StepOptions, 'runId'> = {
        isCurrent: async () =>
          (await otherEnvironment(options.environment, request)) === null &&
          (await options.isCurrent(request)),
        signal,
        patience,
        ...reports.callbacks,
        ...(isOneRun(request) && options.widgets.wanted()
          ? { onKept: (cellProcess) => options.widgets.keep(cellId, cellProcess) }
          : {}),
      };
      const tools = { ...stepTools, inBackground };
      outcome = await (early?.take(how) ?? runStep(tools, request, { ...how, runId: logRun }));
    } catch (error) {
      const incident = randomUUID().slice(0, 8);
      log.error({ err: error, incident, cell: cellId }, 'a cell run failed inside the server');
      early?.drop();
      outcome = serverFault(incident);
    }
    reports.end();
    over();
    const how = { cell: cellId, outcome: outcome.kind, ms: Math.round(outcome.durationMs) };
    log.debug(how, outcome.kind === 'failed' ? 'a cell failed' : 'a cell ended');
    report({ type: 'step_finished', runId, cellId, outcome: { ...outcome, endedAtMs: Date.now() } });
  };
  return { look, run, live: () => live };
}
