/**
 * Converts between a cell's last run in the session's state and its record in `.svc/runtime.json`, which survives a
 * restart.
 */

import { storedTestResult } from '../../../src-shared/wire/cellTests.ts';
import { executionMethod } from '../../../src-shared/wire/execution.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import { type CellRuntime, consoleDigest, type RuntimeState } from '../../notebook/stored/runtimeState.ts';
import { readRecorded, recordedOutput } from '../../run/displays.ts';
import { lastRun, runFacts } from '../../run/facts.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** The part of one cell's last run that survives a restart (docs/spec/notebook-file.md, 1: runtime.json). */
export function cellRuntimeOf(cell: CellState): CellRuntime {
  return {
    provenanceHash: cell.record?.provenanceHash ?? null,
    sourceHash: cell.record?.sourceHash ?? null,
    envHash: cell.record?.envHash ?? null,
    inputs: [...(cell.record?.inputs ?? [])],
    reopenIdentity: cell.record?.reopenIdentity ?? null,
    error: cell.lastError?.text ?? null,
    errorSourceHash: cell.lastError?.sourceHash ?? null,
    errorProvenance: cell.lastError?.provenanceHash ?? null,
    displays: cell.displays.map(recordedOutput),
    executionSamples: cell.samples.map(({ team: _ofSession, ...sample }) => sample),
    lastExecutionMethod: cell.method,
    cacheHit: cell.cacheHit,
    logRun: cell.logRun,
    shownRuns: cell.shownRuns,
    consoleDigest: consoleDigest(cell.console),
    facts: cell.record?.facts ?? null,
    lastRun: cell.lastRun,
    stoppedMs: cell.stoppedMs,
    testResult: cell.testResult,
    widgetValues: Object.fromEntries(cell.widgetValues),
  };
}

/** The record of all cells for `.svc/runtime.json`. */
export function runtimeOf(state: SessionState): RuntimeState {
  const { environment } = state.environment;
  return {
    cells: Object.fromEntries([...state.cells.values()].map((cell) => [cell.id, cellRuntimeOf(cell)])),
    environment: {
      syncedLockHash: environment.lockfile_hash,
      lastSyncedAt: environment.last_synced_at,
      lastSyncDurationMs: environment.last_sync_duration_ms,
      pythonVersion: environment.runtime_python_version,
    },
  };
}

/** The part of the cell's state that is restored from its record. */
export function restoreRuntime(runtime: CellRuntime | undefined): Pick<
  CellState,
  | 'record'
  | 'lastError'
  | 'samples'
  | 'method'
  | 'cacheHit'
  | 'logRun'
  | 'shownRuns'
  | 'lastRun'
  | 'stoppedMs'
  | 'testResult'
  | 'widgetValues'
> & {
  readonly displays: readonly Output[];
} {
  if (runtime === undefined) {
    const nothing = {
      record: null,
      lastError: null,
      method: null,
      logRun: null,
      shownRuns: null,
      lastRun: null,
      stoppedMs: null,
      testResult: null,
      widgetValues: new Map(),
    };
    return { ...nothing, samples: [], cacheHit: false, displays: [] };
  }
  const { provenanceHash, sourceHash, envHash, inputs, reopenIdentity } = runtime;
  const isComplete = provenanceHash !== null && sourceHash !== null && envHash !== null;
  const facts = runFacts.safeParse(runtime.facts);
  const last = lastRun.safeParse(runtime.lastRun);
  const tested = storedTestResult.safeParse(runtime.testResult);
  const method = executionMethod.safeParse(runtime.lastExecutionMethod);
  return {
    record: isComplete
      ? {
          provenanceHash,
          sourceHash,
          envHash,
          inputs,
          reopenIdentity,
          facts: facts.success ? facts.data : null,
        }
      : null,
    logRun: runtime.logRun,
    shownRuns: runtime.shownRuns,
    lastRun: last.success ? last.data : null,
    stoppedMs: runtime.stoppedMs,
    testResult: tested.success ? tested.data : null,
    widgetValues: new Map(Object.entries(runtime.widgetValues)),
    lastError:
      runtime.error !== null && runtime.errorSourceHash !== null
        ? {
            text: runtime.error,
            sourceHash: runtime.errorSourceHash,
            provenanceHash: runtime.errorProvenance,
          }
        : null,
    samples: runtime.executionSamples,
    method: method.success ? method.data : null,
    cacheHit: runtime.cacheHit,
    displays: runtime.displays.flatMap((recorded) => {
      const display = readRecorded(recorded);
      return display === null ? [] : [display];
    }),
  };
}
