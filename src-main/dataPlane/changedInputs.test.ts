import { expect, it } from 'vitest';
import { changedInputs } from './changedInputs.ts';

const spec = (params: object) => ({ executor: 'scan@v1', params: params as Record<string, unknown> });

it.each<readonly [string, object, string, string, boolean]>([
  ['the same snapshot', {}, '7:0', '7:0', false],
  ['another snapshot', {}, '7:0', '8:0', true],
  ['another schema', {}, '7:0', '7:1', true],
  ['a snapshot that the scan names', { snapshot_id: 7 }, '7:0', '8:0', false],
  ['still no snapshot', {}, 'empty:a:0', 'empty:b:0', false],
  ['the first snapshot', {}, 'empty:a:0', '7:0', true],
  ['an input that no longer exists', {}, '7:0', '<unavailable>', true],
])('[DP-19] %s', (_what, params, before, now, isChanged) => {
  const row = { inputVersions: { 'ns.t': before }, transformSpec: spec(params) };
  expect(changedInputs(row, { 'ns.t': now })).toEqual(
    isChanged ? [{ input_uri: 'ns.t', old_version: before, new_version: now }] : [],
  );
});
