/** Performs a session's runs of cell tests, and installs pytest if it is missing. */

import { createStop } from '../../lib/stop.ts';
import type { DataFact } from '../../mount/dataItem.ts';
import type { Logger } from '../../observe/log.ts';
import { runTests } from '../../run/cellTests/runCellTests.ts';
import type { TestProgress } from '../../run/cellTests/testProgress.ts';
import type { TestOutcome } from '../../run/cellTests/testRequest.ts';
import type { StepTools } from '../../run/stepTools.ts';
import type { Effect, SessionFact } from '../state/events.ts';
import { incidentOf } from './incident.ts';
import type { Stops } from './stepWork.ts';

/** A pytest for every Python version a notebook may have; the exact version is in its lock. */
const PYTEST = 'pytest>=8';

type Look = Extract<Effect, { type: 'check_test_data' }>;
type Install = Extract<Effect, { type: 'install_pytest' }>;
type Run = Extract<Effect, { type: 'run_tests' }>;

/** The I/O that runs of tests need. */
export interface TestWork {
  perform(effect: Look | Run | Install): Promise<void>;
}

interface TestWorkDependencies extends Pick<StepTools, 'store' | 'executor' | 'scratchDir' | 'data'> {
  /** @returns the reason a package could not be added; null on success */
  readonly addDev: (requirement: string, signal: AbortSignal) => Promise<string | null>;
  readonly log: Logger;
}

/** Creates the test work of one session. */
export function createTestWork(
  deps: TestWorkDependencies,
  options: {
    readonly stops: Stops;
    readonly report: (fact: SessionFact) => void;
    readonly inBackground: StepTools['inBackground'];
  },
): TestWork {
  const { stops, report, inBackground } = options;
  const tools = { ...deps, inBackground };
  const onFault = (error: unknown) => incidentOf(deps.log, error, 'tests failed inside the server');
  const signalOf = (runId: string): AbortSignal => {
    const stop = stops.get(runId) ?? createStop();
    stops.set(runId, stop);
    return stop.signal;
  };
  const look = async ({ runId, items }: Look): Promise<void> => {
    let facts: readonly DataFact[] = [];
    try {
      facts = await tools.data.check(items, { purpose: 'run', signal: signalOf(runId) });
    } finally {
      stops.delete(runId);
      // Also after a failure: the tests continue and report it, instead of waiting forever.
      report({ type: 'test_data_checked', runId, facts });
    }
  };
  const run = async ({ runId, request }: Run): Promise<void> => {
    const onProgress = (progress: TestProgress) => report({ type: 'tests_progressed', runId, progress });
    const outcome = await runTests(tools, request, { runId, signal: signalOf(runId), onProgress }).catch(
      (error: unknown) => broken(request.testFile, onFault(error)),
    );
    stops.delete(runId);
    report({ type: 'tests_finished', runId, outcome });
  };
  const install = async ({ runId }: Install): Promise<void> => {
    const error = await deps.addDev(PYTEST, signalOf(runId)).catch((fault: unknown) => {
      const name = onFault(fault);
      return `Cellar itself failed (${name}; the server log has the details).`;
    });
    stops.delete(runId);
    report({ type: 'pytest_installed', runId, error });
  };
  return {
    async perform(effect) {
      switch (effect.type) {
        case 'check_test_data':
          return look(effect);
        case 'run_tests':
          return run(effect);
        case 'install_pytest':
          return install(effect);
        default:
          return effect satisfies never;
      }
    },
  };
}

/** An internal error becomes the tests' error, so that it reaches the caller. */
function broken(nodeid: string, incident: string): TestOutcome {
  const message = `Cellar itself failed while running these tests (${incident}; the server log has the details).`;
  const cases = [{ name: '<collection>', nodeid, outcome: 'error' as const, message, line: null }];
  return { kind: 'finished', cases };
}
