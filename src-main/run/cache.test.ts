import { describe, expect, it } from 'vitest';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { findStored } from './cache.ts';
import { subkey } from './provenance.ts';
import type { StoredVersions } from './storedVersions.ts';

/** One run's row: `x@2 of P run r2` is version 2 of x, made by run r2 under provenance P. */
function row(
  label: string,
  version: number,
  made: { of?: string; run: string; displays?: number },
): ArtifactRow {
  const { of = 'P', run, displays = 0 } = made;
  return {
    id: `nb_n_cell_a_var_${label}`,
    version,
    state: 'ready',
    provenanceHash: subkey(of, label),
    contentKey: `bytes of ${of}`,
    contentType: 'json/object',
    contentSha256: `${label} of ${run}`,
    byteSize: 1,
    rowCount: null,
    schemaJson: null,
    createdAt: 0,
    params: { run, display_count: String(displays) },
    inputVersions: {},
  };
}

interface Case {
  readonly what: string;
  readonly stored: StoredVersions;
  readonly consumed: readonly string[];
  readonly carry?: string;
  readonly depth?: 'current' | 'all';
  readonly contentKey?: string;
  /** `label@version` of each row found; null: a miss. */
  readonly found: readonly string[] | null;
}

const D0 = '__display__0';
const OUT = '__console__';

const CASES: readonly Case[] = [
  {
    what: 'the newest versions of one run',
    stored: { x: [row('x', 2, { run: 'r2' }), row('x', 1, { run: 'r1' })], y: [row('y', 1, { run: 'r2' })] },
    consumed: ['x', 'y'],
    found: ['x@2', 'y@1'],
  },
  {
    what: 'values of two runs under one key are not a result: they may be inconsistent',
    stored: { x: [row('x', 2, { run: 'r2' })], y: [row('y', 1, { run: 'r1' })] },
    consumed: ['x', 'y'],
    found: null,
  },
  {
    what: 'an older complete run is used when the newest is incomplete',
    stored: { x: [row('x', 2, { run: 'r2' }), row('x', 1, { run: 'r1' })], y: [row('y', 1, { run: 'r1' })] },
    consumed: ['x', 'y'],
    found: ['x@1', 'y@1'],
  },
  {
    what: 'a status depends only on current versions',
    stored: { x: [row('x', 2, { run: 'r2' }), row('x', 1, { run: 'r1' })], y: [row('y', 1, { run: 'r1' })] },
    consumed: ['x', 'y'],
    depth: 'current',
    found: null,
  },
  {
    what: 'the display of another run is not shown with a value',
    stored: { x: [row('x', 2, { run: 'r2', displays: 1 })], [D0]: [row(D0, 1, { run: 'r1', displays: 1 })] },
    consumed: ['x'],
    found: ['x@2'],
  },
  {
    what: 'a leaf: its console and every display of that run',
    stored: {
      [OUT]: [row(OUT, 1, { run: 'r1', displays: 1 })],
      [D0]: [row(D0, 1, { run: 'r1', displays: 1 })],
    },
    consumed: [],
    found: [`${OUT}@1`, `${D0}@1`],
  },
  {
    what: 'a leaf without one of its displays is not a hit',
    stored: { [OUT]: [row(OUT, 1, { run: 'r1', displays: 1 })] },
    consumed: [],
    found: null,
  },
  {
    what: 'a cell that was read when it ran and is a leaf now: its displays answer, without a console',
    stored: { x: [row('x', 1, { run: 'r1', displays: 1 })], [D0]: [row(D0, 1, { run: 'r1', displays: 1 })] },
    consumed: [],
    depth: 'current',
    found: [`${D0}@1`],
  },
  {
    what: 'older displays of such a cell do not answer: their console would be missing',
    stored: {
      [D0]: [row(D0, 2, { of: 'Q', run: 'r2', displays: 1 }), row(D0, 1, { run: 'r1', displays: 1 })],
    },
    consumed: [],
    found: null,
  },
  {
    what: 'the same input bytes under another key',
    stored: { x: [row('x', 1, { of: 'Q', run: 'r1' })] },
    consumed: ['x'],
    contentKey: 'bytes of Q',
    found: ['x@1'],
  },
  {
    what: '[LO-4] a loop: its carry and the variables read, from one run',
    stored: { x: [row('x', 1, { run: 'r1' })], m: [row('m', 2, { run: 'r2' }), row('m', 1, { run: 'r1' })] },
    consumed: ['m'],
    carry: 'x',
    found: ['m@1', 'x@1'],
  },
  {
    what: '[LO-4] a loop without its carry is not a hit',
    stored: { m: [row('m', 1, { run: 'r1' })] },
    consumed: ['m'],
    carry: 'x',
    found: null,
  },
  {
    what: '[LO-4] a loop without readers: its console and its carry',
    stored: { [OUT]: [row(OUT, 1, { run: 'r1' })], x: [row('x', 1, { run: 'r1' })] },
    consumed: [],
    carry: 'x',
    found: [`${OUT}@1`, 'x@1'],
  },
];

describe('[PV-10] which result a run reuses', () => {
  for (const { what, depth = 'all', contentKey = null, found, ...asked } of CASES) {
    it(what, () => {
      const result = findStored({ ...asked, accepts: () => true, depth, contentKey, provenanceHash: 'P' });
      const names =
        result && Object.entries(result.rows).map(([label, { version }]) => `${label}@${version}`);
      expect(names).toEqual(found);
    });
  }
});
