import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentKeyOf, envHashOf, lockHashOf, provenanceOf, subkey } from './provenance.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * The worked example of docs/spec/provenance-and-cache.md, 4: no lock files, the local worker, a: `x = 1`, b: `y=x+1`.
 */
describe('[PV-3] the worked example', () => {
  const env = envHashOf(lockHashOf(null, null), 'local:local', {});
  const a = provenanceOf([], sha('x = 1'), env);
  const x = subkey(a, 'x');
  const b = provenanceOf([x], sha('y = x + 1'), env);
  for (const [name, value, starts, ends] of [
    ['env', env, '9164ef08', 'c8de'],
    ['prov_a', a, '634c7308', 'b1ab'],
    ['x', x, 'bae2eae8', ''],
    ['prov_b', b, '924b36de', 'b5b2'],
    ['y', subkey(b, 'y'), '3a801e47', ''],
  ] as const) {
    it(name, () => {
      expect(value.startsWith(starts) && value.endsWith(ends), value).toBe(true);
    });
  }

  it('the order of inputs does not matter, their text does', () => {
    expect(provenanceOf(['b', 'a'], 's', 'e')).toBe(provenanceOf(['a', 'b'], 's', 'e'));
    expect(provenanceOf(['a', 'b'], 's', 'e')).not.toBe(provenanceOf(['ab'], 's', 'e'));
  });

  it('variables of the environment count by name and value, in any order', () => {
    const one = envHashOf('l', 'r', { A: '1', B: '2' });
    expect(envHashOf('l', 'r', { B: '2', A: '1' })).toBe(one);
    expect(envHashOf('l', 'r', { A: '1', B: '3' })).not.toBe(one);
    expect(envHashOf('l', 'r', { A: '1B=2' })).not.toBe(one);
  });
});

describe('the early cut-off key', () => {
  const x = { variable: 'x', contentType: 'json/object', sha256: sha('1'), world: 'w' };
  it('an input without a digest, or of an unknown world, never matches', () => {
    expect(contentKeyOf([x, { ...x, variable: 'y', sha256: null }], 's', 'e')).toBe(null);
    expect(contentKeyOf([x, { ...x, variable: 'y', world: null }], 's', 'e')).toBe(null);
  });
  it('[PV-13] names the bytes and the type of each variable, the source and the environment', () => {
    const key = contentKeyOf([x], 's', 'e');
    expect(contentKeyOf([x], 's', 'e')).toBe(key);
    for (const other of [
      contentKeyOf([{ ...x, variable: 'y' }], 's', 'e'),
      contentKeyOf([{ ...x, sha256: sha('2') }], 's', 'e'),
      contentKeyOf([{ ...x, contentType: 'module/import' }], 's', 'e'),
      contentKeyOf([{ ...x, world: 'other' }], 's', 'e'),
      contentKeyOf([x], 't', 'e'),
      contentKeyOf([x], 's', 'f'),
    ]) {
      expect(other).not.toBe(key);
    }
  });
});
