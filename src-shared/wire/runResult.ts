/** The result of a run as the command line and MCP show it. */

import * as z from 'zod';
import { executionMethod, executionResult } from './execution.ts';

/** Maximum length of a stream outside the window (command-line; mcp). */
const SHOWN_CHARACTERS = 10_000;

/** The end of a run's output, which shows the result. */
export function shownStream(text: string): string {
  return text.slice(-SHOWN_CHARACTERS);
}

/** How a run ended, for the command line and an agent's tools (mcp, RunResult). */
export const runResult = z.object({
  cell_id: z.string(),
  status: z.enum(['ok', 'error']),
  cache_hit: z.boolean(),
  execution_method: executionMethod,
  duration_ms: z.number(),
  error: z.string().optional(),
  error_code: executionResult.shape.error_code,
  /** Extension. */
  traceback: z.string().optional(),
  stdout: z.string(),
  stderr: z.string(),
});
export type RunResult = z.infer<typeof runResult>;

/** Converts the REST reply to a run. */
export function runResultOf(result: z.infer<typeof executionResult>): RunResult {
  const { cell_id, status, cache_hit, execution_method, duration_ms, error, error_code, traceback } = result;
  return {
    ...{ cell_id, status: status === 'error' ? 'error' : 'ok', cache_hit, execution_method, duration_ms },
    ...(error === null ? {} : { error }),
    ...(error_code === undefined ? {} : { error_code }),
    ...(traceback === null ? {} : { traceback }),
    stdout: shownStream(result.stdout),
    stderr: shownStream(result.stderr),
  };
}
