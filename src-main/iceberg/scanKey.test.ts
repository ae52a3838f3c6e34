import { describe, expect, it } from 'vitest';
import { filterFingerprint, type ScanKey, scanProvenance } from './scanKey.ts';

const KEY: ScanKey = {
  identity: 'svc.ns.t',
  snapshotId: 7n,
  schemaId: 0,
  columns: ['a'],
  filters: [{ column: 'a', op: '>', value: 1 }],
};

describe('[IC-14] the provenance of a scan', () => {
  it('is the worked example of the specification', () => {
    expect(filterFingerprint(KEY.filters)).toBe('c5c6b42fd03c40a6');
    expect(scanProvenance(KEY)).toBe('81d3ded01f0704793528a03a29d76c16b7d424347ada4ab6e679e86b8b71835f');
  });

  // hashlib.md5(json.dumps([{"column": "a", "op": "=", "value": V}], separators=(",", ":")).encode()).hexdigest()[:16]
  it.each([
    [1e-5, '05b3bb02c8fd377c'],
    [1.5e-7, 'bc56326131d9179f'],
    [0.0001, '65a4837b51496c1b'],
    [-2e-5, 'fe8c26af7c7b137e'],
    [1e300, 'dc2bfed4de08bf42'],
    [0.1, '5193007b2d19ae3c'],
  ])('writes numbers as Python does: %s', (value, fingerprint) => {
    expect(filterFingerprint([{ column: 'a', op: '=', value }])).toBe(fingerprint);
  });

  it('depends on everything but the order of columns and filters', () => {
    const filters = [...KEY.filters, { column: 'b', op: '=', value: 'ä\u007f𝄞"' } as const];
    const other = { ...KEY, columns: ['b', 'a'], filters };
    expect(scanProvenance({ ...other, columns: ['a', 'b'], filters: filters.toReversed() })).toBe(
      scanProvenance(other),
    );
    const changed: readonly ScanKey[] = [
      KEY,
      { ...KEY, snapshotId: 2n ** 62n },
      { ...KEY, snapshotId: 2n ** 62n + 1n },
      { ...KEY, columns: null },
      { ...KEY, filters: [] },
      { ...KEY, schemaId: 1 },
      { ...KEY, identity: 'default.ns.t' },
      { ...KEY, filters: [{ column: 'a', op: '>', value: '1' }] },
    ];
    expect(new Set(changed.map(scanProvenance)).size).toBe(changed.length);
  });
});
