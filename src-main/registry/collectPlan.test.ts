import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Collectable, type CollectLimits, keyOf, planCollection } from './collectPlan.ts';

const NOW = 10_000_000;
const DAY = 86_400;

const LIMITS: CollectLimits = {
  maxIdleDays: 30,
  maxBytes: null,
  minIdleSeconds: 3_600,
  collectLatest: false,
  now: NOW,
};

function version(text: string, more: Partial<Collectable> = {}): Collectable {
  const [id = '', number = '1'] = text.split('@');
  return {
    id,
    version: Number(number),
    state: 'ready',
    byteSize: 100,
    lastUsedAt: NOW - 40 * DAY,
    isMinted: true,
    isReferenced: false,
    needs: [],
    ...more,
  };
}

interface Row {
  readonly name: string;
  readonly all: readonly Collectable[];
  readonly limits?: Partial<CollectLimits>;
  readonly collected: readonly string[];
}

const ROWS: readonly Row[] = [
  { name: 'an idle version', all: [version('a')], collected: ['a@v=1'] },
  { name: 'nothing without a limit', all: [version('a')], limits: { maxIdleDays: null }, collected: [] },
  { name: 'nothing that is referenced', all: [version('a', { isReferenced: true })], collected: [] },
  { name: 'nothing that is building', all: [version('a', { state: 'building' })], collected: [] },
  { name: 'a failed version', all: [version('a', { state: 'failed' })], collected: ['a@v=1'] },
  {
    name: 'not an input of a kept version, at any depth',
    all: [
      version('a', { isReferenced: true, needs: [{ id: 'b', version: 1 }] }),
      version('b', { needs: [{ id: 'c', version: 1 }] }),
      version('c'),
      version('d'),
    ],
    collected: ['d@v=1'],
  },
  {
    name: 'not the current value of a chosen id',
    all: [version('a@1', { isMinted: false, state: 'superseded' }), version('a@2', { isMinted: false })],
    collected: ['a@v=1'],
  },
  {
    name: 'the current value of a chosen id, on request',
    all: [version('a', { isMinted: false })],
    limits: { collectLatest: true },
    collected: ['a@v=1'],
  },
  { name: 'nothing used a day ago', all: [version('a', { lastUsedAt: NOW - DAY })], collected: [] },
  {
    name: 'nothing used within the protected time, above the size too',
    all: [version('a', { lastUsedAt: NOW - 3_800 }), version('b', { lastUsedAt: NOW - 3_900 })],
    limits: { maxIdleDays: null, maxBytes: 10 },
    collected: ['b@v=1'],
  },
  {
    name: 'the least recently used, down to 80 % of the size',
    all: [1, 2, 3, 4, 5, 6].map((n) => version(`a${n}`, { lastUsedAt: NOW - n * DAY })),
    limits: { maxIdleDays: null, maxBytes: 500 },
    collected: ['a6@v=1', 'a5@v=1'],
  },
  {
    name: 'not the highest version while a lower one is kept',
    all: [version('a@1', { isReferenced: true, state: 'superseded' }), version('a@2')],
    collected: [],
  },
  {
    name: 'the highest version after the lower ones',
    all: [version('a@2', { lastUsedAt: NOW - 50 * DAY }), version('a@1', { state: 'superseded' })],
    collected: ['a@v=1', 'a@v=2'],
  },
];

describe('[RG-1] the versions that the collector deletes', () => {
  it.each(ROWS)('$name', ({ all, limits, collected }) => {
    expect(planCollection(all, { ...LIMITS, ...limits }).map(keyOf)).toEqual(collected);
  });

  it('equals a simple implementation of the rules, for random stores', () => {
    fc.assert(
      fc.property(store(), limitsOf(), (all, limits) => {
        const plan = planCollection(all, limits);
        expect(plan.map(keyOf)).toEqual(plainPlan(all, limits));
      }),
      { numRuns: process.env['LONG'] === '1' ? 20_000 : 500 },
    );
  });
});

function store(): fc.Arbitrary<readonly Collectable[]> {
  const ref = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), version: fc.integer({ min: 1, max: 3 }) });
  const one = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    version: fc.integer({ min: 1, max: 3 }),
    state: fc.constantFrom('building', 'ready', 'superseded', 'failed') as fc.Arbitrary<Collectable['state']>,
    byteSize: fc.integer({ min: 0, max: 50 }),
    lastUsedAt: fc.integer({ min: 0, max: 40 }).map((days) => NOW - days * DAY - 1),
    isMinted: fc.boolean(),
    isReferenced: fc.boolean().map((x) => x),
    needs: fc.array(ref, { maxLength: 2 }),
  });
  return fc.uniqueArray(one, { selector: keyOf, maxLength: 12 });
}

function limitsOf(): fc.Arbitrary<CollectLimits> {
  return fc.record({
    maxIdleDays: fc.option(fc.integer({ min: 0, max: 40 })),
    maxBytes: fc.option(fc.integer({ min: 0, max: 400 })),
    minIdleSeconds: fc.constantFrom(0, 3_600, 5 * DAY),
    collectLatest: fc.boolean(),
    now: fc.constant(NOW),
  });
}

/** The rules one by one, without optimization. */
function plainPlan(all: readonly Collectable[], limits: CollectLimits): readonly string[] {
  if (limits.maxIdleDays === null && limits.maxBytes === null) return [];
  const isKept = (one: Collectable, seen: readonly string[] = []): boolean => {
    if (one.isReferenced || one.state === 'building') return true;
    const newer = all.filter(
      ({ id, state, version }) => id === one.id && state === 'ready' && version > one.version,
    );
    if (!limits.collectLatest && !one.isMinted && one.state === 'ready' && newer.length === 0) return true;
    const readers = all.filter(({ needs }) => needs.some((need) => keyOf(need) === keyOf(one)));
    return readers.some((reader) => !seen.includes(keyOf(reader)) && isKept(reader, [...seen, keyOf(one)]));
  };
  let remaining = [...all];
  const collected: string[] = [];
  const bytes = () => remaining.reduce((sum, { byteSize }) => sum + byteSize, 0);
  const pass = (wanted: (one: Collectable) => boolean, isEnough: () => boolean): void => {
    for (let changed = true; changed; ) {
      changed = false;
      const order = remaining
        .filter((one) => !isKept(one) && NOW - one.lastUsedAt >= limits.minIdleSeconds + 300 && wanted(one))
        .toSorted((a, b) => a.lastUsedAt - b.lastUsedAt || (keyOf(a) < keyOf(b) ? -1 : 1));
      for (const one of order) {
        const others = remaining.filter(({ id, version }) => id === one.id && version !== one.version);
        if (isEnough() || (others.length > 0 && others.every(({ version }) => version < one.version)))
          continue;
        remaining = remaining.filter((other) => other !== one);
        collected.push(keyOf(one));
        changed = true;
      }
    }
  };
  const { maxIdleDays, maxBytes } = limits;
  if (maxIdleDays !== null)
    pass(
      ({ lastUsedAt }) => NOW - lastUsedAt > maxIdleDays * DAY,
      () => false,
    );
  if (maxBytes !== null && bytes() > maxBytes)
    pass(
      () => true,
      () => bytes() <= maxBytes * 0.8,
    );
  return collected;
}
