import { describe, expect, it } from 'vitest';
import cells from '../../harness/fixtures/cells.json' with { type: 'json' };
import { harnessManifest, harnessResult, isOutputFailure } from './harness.ts';

/** The same rows the Python harness is run on (harness/python/tests/test_contract.py). */
describe('[EX-7] manifests and results of harness/fixtures/cells.json', () => {
  it.each(cells.map((cell) => [cell.name, cell] as const))('%s', (_name, cell) => {
    const manifest = { output_dir: '/out', ...cell.manifest };
    const result = { build_env: 'cpython-3.13-linux-x86_64', ...cell.result };
    // Parsing drops unknown keys, so equality shows that the schema has them all.
    expect([harnessManifest.parse(manifest), harnessResult.parse(result)]).toEqual([manifest, result]);
  });
});

describe('a harness result', () => {
  const base = { variables: {}, displays: [], mutation_warnings: [], build_env: '' };
  const meta = { content_type: 'json/object', bytes: 0, preview: null };

  it.each([
    ['no outcome', base],
    ['a failure without a message', { ...base, success: false }],
    ['an invalid digest', { ...base, success: true, displays: [{ ...meta, sha256: 'ABC' }] }],
    ['negative bytes', { ...base, success: true, displays: [{ ...meta, bytes: -1 }] }],
  ])('is refused with %s', (_name, body) => {
    expect(harnessResult.safeParse(body).success).toBe(false);
  });

  it('distinguishes failures from values', () => {
    const result = harnessResult.parse({
      ...base,
      success: true,
      variables: { good: meta, bad: { error: 'cannot pickle', type: 'generator' } },
    });
    const failed = Object.entries(result.variables).map(([name, output]) => [name, isOutputFailure(output)]);
    expect(failed).toEqual([
      ['good', false],
      ['bad', true],
    ]);
  });
});
