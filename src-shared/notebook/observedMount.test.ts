import { describe, expect, it } from 'vitest';
import { canBeMount, NOT_FOUND, withMountOf } from './observedMount.ts';

describe('[SO-9] a file a run was seen to read', () => {
  it.each([
    ['file', 'data/x.csv', true],
    ['folder', 'data', true],
    ['folder', '.', false],
    ['file', '/etc/hosts', false],
    ['file', 'C:\\x.csv', false],
    ['file', 'with space.csv', false],
    ['written', 'out.csv', false],
    ['env', 'MODE', false],
  ] as const)('%s %s: %s', (kind, name, can) => {
    expect(canBeMount({ kind, name, state: 'same', detail: null })).toBe(can);
    expect(canBeMount({ kind, name, state: 'same', detail: NOT_FOUND })).toBe(false);
  });

  it('becomes a mount line under a free name', () => {
    const cell = { source: '# @timeout 5\nx = open("x.csv").read()', defines: ['x'], references: [] };
    expect(withMountOf(cell, 'x.csv')).toBe(
      '# @timeout 5\n# @mount x_2 file://./x.csv\nx = open("x.csv").read()',
    );
  });
});
