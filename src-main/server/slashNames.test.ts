import { describe, expect, it } from 'vitest';
import { matchSlashed, wildcardOf } from './slashNames.ts';

const ONE = '/v1/names/{name}';
const ALL = '/v1/names/{name}/aliases';
const ALIAS = '/v1/names/{name}/aliases/{alias}';
const STATUS = '/v1/artifacts/names/{name}/status';

const ROWS: readonly (readonly [
  path: string,
  rest: string,
  params: Readonly<Record<string, string>> | null,
])[] = [
  [ONE, 'sales', { name: 'sales' }],
  [ONE, 'team/sales', { name: 'team/sales' }],
  [ONE, 'team/sales/aliases', null],
  [ONE, 'team/sales/aliases/prod', null],
  [ONE, '', null],
  [ALL, 'team/sales/aliases', { name: 'team/sales' }],
  [ALL, 'aliases', null],
  [ALL, 'team/sales', null],
  [ALIAS, 'team/sales/aliases/prod', { name: 'team/sales', alias: 'prod' }],
  [ALIAS, 'sales/aliases/', null],
  [STATUS, 'team/sales/status', { name: 'team/sales' }],
  [STATUS, 'status', null],
];

describe('[RG-2] names with slashes', () => {
  it.each(ROWS)('%s of %s', (path, rest, params) => {
    expect(matchSlashed(path, rest)).toEqual(params);
  });

  it.each([
    [ONE, '/v1/names/*'],
    [STATUS, '/v1/artifacts/names/*'],
    ['/v1/names', null],
    ['/v1/notebooks/{sid}/name', null],
  ])('%s is at %s', (path, wildcard) => {
    expect(wildcardOf(path)).toBe(wildcard);
  });
});
