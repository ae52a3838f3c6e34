import { expect, it } from 'vitest';
import { type CacheUnit, cacheKey, tenantFolder } from './cacheKey.ts';

const UNIT: CacheUnit = {
  tenant: '',
  identity: 'svc.ns.t',
  snapshotId: 7n,
  file: '/wh/f.parquet',
  rowGroup: 0,
  schemaId: 0,
  columns: ['a'],
};

it('[DP-20] keys and folders are the worked examples of the specification', () => {
  expect(cacheKey(UNIT)).toBe('409525bdd405133f4988102d219957e0e8108df036668c20f5db033238178926');
  expect(cacheKey({ ...UNIT, tenant: '_default' })).toBe(cacheKey(UNIT));
  expect(cacheKey({ ...UNIT, columns: null })).toBe(
    '76650fe26e2e19219cce1cfe3c54f178fa7129e687ac1a82bfd575cdc5f23c2c',
  );
  expect(tenantFolder('')).toBe('3bf30573');
});

it('[DP-20] every part of a unit counts, the order of the columns too', () => {
  const units: readonly CacheUnit[] = [
    UNIT,
    { ...UNIT, tenant: 'acme' },
    { ...UNIT, identity: 'svc.ns.u' },
    { ...UNIT, snapshotId: 2n ** 62n },
    { ...UNIT, snapshotId: 2n ** 62n + 1n },
    { ...UNIT, file: '/wh/g.parquet' },
    { ...UNIT, rowGroup: 1 },
    { ...UNIT, schemaId: 1 },
    { ...UNIT, columns: '*' },
    { ...UNIT, columns: null },
    { ...UNIT, columns: ['a', 'b'] },
    { ...UNIT, columns: ['b', 'a'] },
  ];
  expect(new Set(units.map(cacheKey)).size).toBe(units.length);
});
