import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { loadConfig } from '../config/loadConfig.ts';
import type { Config } from '../config/variables.ts';
import { Executors } from './executors.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import { PERSON } from './testing/planeWorld.ts';

const DEFAULTS = loadConfig({ cwd: tmpdir(), env: {} });
const entry = (ref: string, more: object = {}) => ({ ref, executor_url: 'http://127.0.0.1:9', ...more });
const REGISTRY = [entry('double*@v1'), entry('duckdb_*', { executor_url: 'embedded://local' })];

const ON = { transformsConfig: { enabled: true, registry: REGISTRY } };
const OFF = { ...ON, transformsEnabled: false };
const ON_BY_VARIABLE = { transformsConfig: { registry: REGISTRY }, transformsEnabled: true };
const HTTP_ALONE = {
  transformsConfig: { enabled: true, registry: [entry('*')] },
  transformMode: 'registry',
} as const;
const REGISTRY_MODE = { ...ON, transformMode: 'registry' } as const;
const SERVICE = { ...ON, deploymentMode: 'service' } as const;
const SERVICE_OFF = { ...OFF, deploymentMode: 'service' } as const;
const SCOPED = {
  transformsConfig: { enabled: true, registry: [entry('double@v1', { requires_scope: 'double' })] },
};

/** What a client without scopes gets: the executor that runs it, or the status and name of the refusal. */
const rows: readonly (readonly [string, Partial<Config>, string, string])[] = [
  ['[DP-75] a scan needs no entry', OFF, 'scan@v1', 'scan'],
  ['[DP-75] a name that an entry matches', ON, 'double_it@v1', 'http'],
  ['[DP-75] a glob matches only the whole name', ON, 'my_double@v1', '400 transform_unknown'],
  ['[DP-75] a dot in a glob matches only a dot', { ...SCOPED }, 'double@v1x', '400 transform_unknown'],
  ['[DP-75] a registry that is off', OFF, 'double@v1', '400 transform_unknown'],
  [
    '[DP-75] a registry without `enabled`',
    { transformsConfig: { registry: REGISTRY } },
    'double@v1',
    '400 transform_unknown',
  ],
  ['[DP-75] a registry that the variable turns on', ON_BY_VARIABLE, 'double@v1', 'http'],
  ['[DP-75] DuckDB, where the registry is off', OFF, 'duckdb_sql@v1', 'sql'],
  ['[DP-75] a service: a name that no entry matches', SERVICE, 'triple@v1', '403 transform_not_allowed'],
  ['[DP-75] a service: a name that an entry matches', SERVICE, 'double@v1', 'http'],
  ['[DP-75] a service: DuckDB, where transforms are on', SERVICE, 'duckdb_sql@v1', 'sql'],
  [
    '[DP-75] a service: DuckDB, where transforms are off',
    SERVICE_OFF,
    'duckdb_sql@v1',
    '403 transform_not_allowed',
  ],
  ['[DP-76] an entry that requires a scope', SCOPED, 'double@v1', '403 insufficient_scope'],
  ['[DP-77] mode registry: DuckDB by its own entry', REGISTRY_MODE, 'duckdb_sql@v1', 'sql'],
  ['[DP-77] mode registry: DuckDB by another server', HTTP_ALONE, 'duckdb_sql@v1', 'http'],
  [
    '[DP-77] this server has no other executor of its own',
    REGISTRY_MODE,
    'duckdb_other',
    '400 transform_unknown',
  ],
  [
    '[DP-77] mode registry without an entry',
    { transformMode: 'registry' },
    'duckdb_sql@v1',
    '400 transform_unknown',
  ],
];

it.each(rows)('%s', (_what, config, ref, wanted) => {
  const executors = new Executors({ ...DEFAULTS, ...config });
  expect(seen(() => executors.find(ref, { ...PERSON, hasScope: () => false }).kind)).toBe(wanted);
});

it('[DP-76] a client that has the scope is let through, and a refusal names the scope', () => {
  const executors = new Executors({ ...DEFAULTS, ...SCOPED });
  const withScope = { ...PERSON, hasScope: (scope: string) => scope === 'double' };
  expect(executors.find('double@v1', withScope)).toMatchObject({ kind: 'http' });
  expect(() => executors.find('double@v1', { ...PERSON, hasScope: () => false })).toThrow(
    expect.objectContaining({
      body: { detail: expect.objectContaining({ required_scope: 'double' }) },
    }),
  );
});

function seen(find: () => string): string {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof PlaneRefusal)) throw error;
    const { error: name } = error.body['detail'] as { readonly error: string }; // a named refusal
    return `${error.status} ${name}`;
  }
}
