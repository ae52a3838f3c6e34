import { describe, expect, it } from 'vitest';
import { artifactIdOf, parseArtifactId } from './artifactIds.ts';

describe('[AS-21] an artifact id can be decoded to its cell and label', () => {
  const cells = new Set(['a', 'a_var_b', 'plain', 'a/b', '..', '...\\%2F', 'load data']);
  for (const [cell, label] of [
    ['plain', 'x'],
    ['plain', 'my_var_y'],
    ['plain', '__display__0'],
    ['a_var_b', 'x'],
    ['a_var_b', 'my_var_y'],
    ['a', 'my_var_y'],
    ['a/b', 'x'],
    ['..', 'x'],
    ['...\\%2F', 'x'],
    ['load data', 'x'],
  ] as const) {
    it(`${cell} ${label}`, () => {
      const id = artifactIdOf('n_var_1', cell, label);
      expect(parseArtifactId('n_var_1', id, (name) => cells.has(name))).toEqual({ cellId: cell, label });
    });
  }

  it('the id of another notebook or of no cell is null', () => {
    const isCell = (name: string) => cells.has(name);
    expect(parseArtifactId('m', artifactIdOf('n', 'a', 'x'), isCell)).toBe(null);
    expect(parseArtifactId('n', artifactIdOf('n', 'gone', 'x'), isCell)).toBe(null);
  });
});
