/** The wire form of the result of running a cell, as the REST route answers it. */

import * as z from 'zod';
import { mutationWarning, output, outputPreview } from './output.ts';

export const executionMethod = z.enum([
  'cold',
  'warm',
  'cached',
  'executor',
  'batch',
  'sql',
  'llm',
  'widget',
  'loop',
  'fanout',
  'error',
]);
export type ExecutionMethod = z.infer<typeof executionMethod>;

/** The reply of a REST execute; a failing cell is a 200 with status `error` (docs/spec/rest-notebooks.md, 2.10). */
export const executionResult = z.object({
  cell_id: z.string(),
  status: z.enum(['ready', 'error']),
  stdout: z.string(),
  stderr: z.string(),
  outputs: z.record(z.string(), outputPreview),
  displays: z.array(output),
  display: output.nullable(),
  duration_ms: z.number(),
  error: z.string().nullable(),
  traceback: z.string().nullable(),
  cache_hit: z.boolean(),
  artifact_uri: z.string().nullable(),
  execution_method: executionMethod,
  mutation_warnings: z.array(mutationWarning),
  from_team_cache: z.boolean(),
  team_cache_principal: z.string().nullable(),
  team_cache_build_env: z.string(),
  team_cache_saved_ms: z.number(),
  team_cache_promotion: z.string().nullable(),
  error_code: z.enum(['cancelled', 'fetch_pin_mismatch']).optional(),
  remote_worker: z.string().optional(),
  remote_transport: z.string().optional(),
  remote_build_id: z.string().optional(),
  remote_build_state: z.string().optional(),
  remote_error_code: z.string().optional(),
  suggest_install: z.string().optional(),
  suggest_install_language: z.enum(['python', 'r']).optional(),
});
export type ExecutionResult = z.infer<typeof executionResult>;
