import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { loadConfig } from '../../config/loadConfig.ts';
import type { DataPlane } from '../../dataPlane/api.ts';
import { EMPTY_ANSWER } from '../../dataPlane/requests.ts';
import type { Caller } from '../caller.ts';
import { dataPlaneHandlers } from './dataPlane.ts';

const config = loadConfig({ cwd: tmpdir(), env: {} });
const SHUTTING_DOWN = new Error('Server is shutting down. Not accepting new requests.');

/** The result of a request to materialize: the name that reaches the data plane, or the body of the refusal. */
async function asked(name: string | null, scopes: readonly string[], isDraining = false): Promise<unknown> {
  let reached: unknown = 'nothing';
  const dataPlane: Pick<DataPlane, 'materialize'> = {
    materialize: async (request) => {
      reached = request.name;
      return EMPTY_ANSWER;
    },
  };
  const { materialize } = dataPlaneHandlers({
    dataPlane: dataPlane as DataPlane, // the route uses this one
    config,
    refuseWhenDraining: () => {
      if (isDraining) throw SHUTTING_DOWN;
    },
  });
  const caller: Caller = { principal: 'ada', tenant: null, scopes: new Set(scopes) };
  const body = {
    inputs: [],
    transform: { executor: 'duckdb_sql@v1', params: {} },
    mode: 'artifact',
    refresh: false,
    name,
  };
  const wanted = () => new AbortController().signal;
  try {
    await materialize({ body, caller, client: '127.0.0.1', wanted } as never); // what the handler reads of a call
    return reached;
  } catch (error) {
    return error instanceof Error && 'body' in error ? error.body : error;
  }
}

it('[DP-108] a name requires the scope of writing, and nothing else does', async () => {
  expect(await asked(null, ['artifacts:read'])).toBeNull();
  expect(await asked('a', ['artifacts:write'])).toBe('a');
  expect(await asked('a', ['admin:*'])).toBe('a');
  expect(await asked('a', ['artifacts:read'])).toEqual({
    detail: {
      error: 'missing_scope',
      message: 'Naming the result requires the artifacts:write scope.',
    },
  });
});

it('[DP-108] a server that shuts down refuses before anything else', async () => {
  expect(await asked('a', [], true)).toBe(SHUTTING_DOWN);
});
