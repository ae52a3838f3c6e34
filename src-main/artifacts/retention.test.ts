import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ArtifactRow, UsedRow } from './artifact.ts';
import { planRetention, type RetentionLimits } from './retention.ts';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;
const LIMITS: RetentionLimits = { maxIdleMs: 30 * DAY, maxBytes: 1000, minIdleMs: 3_600_000 };

interface Brief {
  readonly id: string;
  readonly version?: number;
  readonly bytes?: number;
  readonly blob?: string;
  readonly days: number;
  readonly from?: readonly string[];
  readonly held?: boolean;
  readonly needs?: readonly string[];
}

function used(brief: Brief): UsedRow {
  const { id, version = 1, bytes = 100, blob = `${id}@${version}`, days, from = [] } = brief;
  const row: ArtifactRow = {
    id,
    version,
    state: 'superseded',
    provenanceHash: '',
    contentKey: null,
    contentType: 'json/object',
    contentSha256: blob,
    byteSize: bytes,
    rowCount: null,
    schemaJson: null,
    createdAt: 0,
    params: {
      ...(brief.held ? { held: '1' } : {}),
      ...(brief.needs === undefined ? {} : { needs: brief.needs.join(' ') }),
    },
    inputVersions: Object.fromEntries(from.map((uri) => [uri, ''])),
  };
  return { row, lastUsedAt: NOW - days * DAY };
}

function plan(rows: readonly UsedRow[], limits: Partial<RetentionLimits> = {}) {
  return planRetention<'held'>({
    rows,
    heldBecause: (row) => (row.params['held'] === undefined ? null : 'held'),
    needs: (row) => row.params['needs']?.split(' ') ?? [],
    limits: { ...LIMITS, ...limits },
    now: NOW,
  });
}

/** The stored versions → the collected ones, as `id@version why`. */
type Row = readonly [what: string, rows: readonly Brief[], gone: readonly string[]];
const ROWS: readonly (Row | readonly [...Row, limits: Partial<RetentionLimits>])[] = [
  ['idle for longer than the limit', [{ id: 'a', days: 31 }], ['a@1 idle']],
  ['idle for less', [{ id: 'a', days: 29 }], []],
  ['held, however idle', [{ id: 'a', days: 400, held: true }], []],
  [
    'the inputs of a held artifact, at any depth',
    [
      { id: 'a', days: 400, held: true, from: ['svc://artifact/b@v=1', 'https://example.org/x'] },
      { id: 'b', days: 400, from: ['svc://artifact/c@v=2'] },
      { id: 'c', version: 2, days: 400 },
      { id: 'c', version: 1, days: 400 },
    ],
    ['c@1 idle'],
  ],
  [
    'the artifacts that the code of a held one needs',
    [
      { id: 'a', days: 400, held: true, needs: ['svc://artifact/b@v=1'] },
      { id: 'b', days: 400 },
    ],
    [],
  ],
  ['no limits', [{ id: 'a', days: 400, bytes: 1e9 }], [], { maxIdleMs: null, maxBytes: null }],
  [
    'above the size limit: the least recently used, down to 80 %',
    [5, 4, 3, 2, 1].map((days) => ({ id: `d${days}`, days, bytes: 250 })),
    ['d5@1 space', 'd4@1 space'],
  ],
  ['exactly the size of the limit', [{ id: 'a', days: 9, bytes: 1000 }], []],
  ['above the size limit, all held', [{ id: 'a', days: 9, bytes: 5000, held: true }], []],
  ['used within the hour', [{ id: 'a', days: 1 / 24, bytes: 5000 }], []],
  ['used just before the guard', [{ id: 'a', days: 1.1 / 24, bytes: 5000 }], ['a@1 space']],
  [
    'an idle limit shorter than the guard',
    [
      { id: 'new', days: 1 / 24 },
      { id: 'old', days: 2 / 24 },
    ],
    ['old@1 idle'],
    { maxIdleMs: 0 },
  ],
  [
    'the highest version stays while a lower one does',
    [
      { id: 'a', version: 2, days: 40 },
      { id: 'a', version: 1, days: 40, held: true },
    ],
    [],
  ],
  [
    'all versions of an id together',
    [
      { id: 'a', version: 2, days: 40 },
      { id: 'a', version: 1, days: 40 },
    ],
    ['a@2 idle', 'a@1 idle'],
  ],
  [
    'a blob that a held version shares frees nothing, so more versions are removed',
    [
      { id: 'keep', days: 9, bytes: 600, blob: 'same', held: true },
      { id: 'a', days: 8, bytes: 600, blob: 'same' },
      { id: 'b', days: 7, bytes: 500 },
    ],
    ['a@1 space', 'b@1 space'],
  ],
];

describe('what a sweep collects', () => {
  test.each(ROWS)('[AS-40] %s', (...row) => {
    const [, rows, gone, limits] = row;
    const { collect } = plan(rows.map(used), limits);
    expect(collect.map(({ used: { row }, why }) => `${row.id}@${row.version} ${why}`)).toEqual(gone);
  });

  it('[AS-41] reports what is retained and why, each blob once', () => {
    const { kept, bytes, bytesAfter } = plan(
      [
        { id: 'cell', days: 90, bytes: 10, held: true, from: ['svc://artifact/in@v=1'] },
        { id: 'in', days: 90, bytes: 20 },
        { id: 'new', days: 0, bytes: 40 },
        { id: 'spare', days: 9, bytes: 10, blob: 'cell@1' },
        { id: 'spare2', days: 9, bytes: 80 },
        { id: 'old', days: 90, bytes: 160 },
      ].map(used),
    );
    expect(Object.fromEntries(kept)).toEqual({
      held: { results: 1, bytes: 10 },
      input: { results: 1, bytes: 20 },
      recent: { results: 1, bytes: 40 },
      spare: { results: 2, bytes: 80 },
    });
    expect([bytes, bytesAfter]).toEqual([310, 150]);
  });

  it('[AS-40] for any store: nothing held, needed or recent is collected, and the bytes add up', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const uri = fc.tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 3 }));
    const brief = fc.record({
      id: fc.constantFrom(...ids),
      version: fc.integer({ min: 1, max: 3 }),
      bytes: fc.constant(300),
      blob: fc.constantFrom('p', 'q', 'r', 's', 't'),
      days: fc.constantFrom(0, 1, 20, 31, 90),
      from: fc.array(
        uri.map(([id, version]) => `svc://artifact/${id}@v=${version}`),
        { maxLength: 2 },
      ),
      held: fc.boolean(),
    });
    const rows = fc.uniqueArray(brief, { selector: ({ id, version }) => `${id}@${version}`, maxLength: 12 });
    fc.assert(
      fc.property(rows, (briefs) => {
        const all = briefs.map(used);
        const { collect, bytes, bytesAfter, kept } = plan(all);
        const collectedAt = new Set(collect.map((each) => each.used));
        const stay = all.filter((each) => !collectedAt.has(each));
        const sizeOf = (some: readonly UsedRow[]) =>
          300 * new Set(some.map(({ row }) => row.contentSha256)).size;
        expect([bytes, bytesAfter]).toEqual([sizeOf(all), sizeOf(stay)]);
        expect([...kept.values()].reduce((sum, group) => sum + group.bytes, 0)).toBe(bytesAfter);
        const goneUris = new Set(
          [...collectedAt].map(({ row }) => `svc://artifact/${row.id}@v=${row.version}`),
        );
        for (const { row } of collectedAt) {
          expect(row.params['held']).toBeUndefined();
          const ofId = all.filter((each) => each.row.id === row.id);
          const isHighest = ofId.every((each) => each.row.version <= row.version);
          if (isHighest) expect(ofId.every((each) => collectedAt.has(each))).toBe(true);
        }
        for (const { row } of stay.filter((each) => each.row.params['held'] !== undefined)) {
          for (const input of Object.keys(row.inputVersions)) expect(goneUris.has(input)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });
});
