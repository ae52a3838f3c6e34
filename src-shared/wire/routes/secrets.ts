/** Contracts of the routes about a notebook's environment variables and its secret manager. */

import * as z from 'zod';
import { cell } from '../cell.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const SESSION = '/v1/notebooks/{sid}';

const MAX_VARIABLES = 1_000;
const MAX_VALUE = 64 * 1024;
const MAX_PLACE = 1_000;

/** The name of an environment variable (docs/spec/rest-notebooks.md, 7). */
const name = z
  .string()
  .max(256)
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'must consist of letters, digits and _, and must not start with a digit',
  );
const value = z
  .string()
  .max(MAX_VALUE)
  .regex(/^[^\0\r\n]*$/, 'must be one line');

/** The variables of a notebook after a change, with the result of fetching. */
const envAnswer = z.object({
  env: z.record(z.string(), z.string()),
  env_sources: z.record(z.string(), z.string()),
  env_fetch_error: z.string().nullable(),
  env_fetched_at: z.string().nullable(),
  secret_manager_config: z.record(z.string(), z.unknown()),
  cells: z.array(cell),
});
export type EnvAnswer = z.infer<typeof envAnswer>;

const place = z.string().max(MAX_PLACE).nullable().default(null);

/** Environment variables and the secret manager that fills them (docs/spec/rest-notebooks.md, 7). */
export const SECRET_ROUTES = {
  setEnv: {
    method: 'PUT',
    path: `${SESSION}/env`,
    summary: 'Replace the notebook’s variables; a masked value is not changed',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({
      env: z
        .record(name, value)
        .refine((env) => Object.keys(env).length <= MAX_VARIABLES, `at most ${MAX_VARIABLES} variables`)
        .default({}),
    }),
    response: envAnswer,
    errors: [404, 409, 422],
  },
  setSecretManager: {
    method: 'PUT',
    path: `${SESSION}/secret-manager/config`,
    summary: 'Set the secret manager and fetch from it; all fields null removes the block',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({
      provider: place,
      project_id: place,
      environment: place,
      path: place,
      base_url: place,
    }),
    response: envAnswer,
    errors: [400, 404, 409, 422],
  },
  refreshSecrets: {
    method: 'POST',
    path: `${SESSION}/secret-manager/refresh`,
    summary: 'Fetch the secrets again; errors are reported in env_fetch_error',
    scope: 'notebook:write',
    params: sessionParams,
    response: envAnswer,
    errors: [403, 404, 409],
  },
} as const satisfies Record<string, RouteContract>;
