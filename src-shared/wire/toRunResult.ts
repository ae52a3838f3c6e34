/** Converts the result of a run to what the command line and MCP tools show, without loading a schema [AR-63]. */

import type { ExecutionResult } from './execution.ts';
import type { RunResult } from './runResult.ts';

/** Maximum length of a stream outside the window (docs/spec/command-line.md, 2; docs/spec/mcp.md, 3). */
const SHOWN_CHARACTERS = 10_000;

/** The end of a run's output, which shows the result. */
export function shownStream(text: string): string {
  return text.slice(-SHOWN_CHARACTERS);
}

/** Converts the REST reply to a run. */
export function runResultOf(result: ExecutionResult): RunResult {
  const { cell_id, status, cache_hit, execution_method, duration_ms, error, error_code, traceback } = result;
  return {
    cell_id,
    status: status === 'error' ? 'error' : 'ok',
    cache_hit,
    execution_method,
    duration_ms,
    ...(error === null ? {} : { error }),
    ...(error_code === undefined ? {} : { error_code }),
    ...(traceback === null ? {} : { traceback }),
    stdout: shownStream(result.stdout),
    stderr: shownStream(result.stderr),
  };
}
