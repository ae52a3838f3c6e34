/** The wire form of a run's result as the command line and MCP tools show it. */

import * as z from 'zod';
import { executionMethod, executionResult } from './execution.ts';

/** How a run ended, for the command line and an agent's tools (docs/spec/mcp.md, 3, RunResult). */
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
