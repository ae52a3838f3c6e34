/**
 * Decides which unreferenced versions of the server's artifact store are deleted: those unused for long, then for
 * space.
 */

import type { VersionRef, VersionState } from './versionRow.ts';

/** A version with the facts that the collector needs. */
export interface Collectable extends VersionRef {
  readonly state: VersionState;
  readonly byteSize: number;
  /** Epoch seconds. */
  readonly lastUsedAt: number;
  readonly isMinted: boolean;
  /** Whether a name, an alias, a pending alias, a publication or a pin refers to it. */
  readonly isReferenced: boolean;
  /** The versions it was made from, and the one that answers in its place. */
  readonly needs: readonly VersionRef[];
}

export interface CollectLimits {
  /** Collect what was not used for longer; null: no limit. */
  readonly maxIdleDays: number | null;
  /** Above this size collect the least recently used versions until 80 % of it is left; null: no limit. */
  readonly maxBytes: number | null;
  readonly minIdleSeconds: number;
  /** Also collect the current value of ids that a client chose. */
  readonly collectLatest: boolean;
  /** Epoch seconds. */
  readonly now: number;
}

/** How late a last use may be recorded (docs/spec/core-services.md, 6). */
const USE_RESOLUTION_SECONDS = 300;
const LEFT_OF_MAX = 0.8;
const DAY_SECONDS = 86_400;

/** How many versions are processed before other work can run: less than a millisecond. A run needs several turns. */
const STEP = 400;

/** A plan that is made step by step. */
type Steps<T> = Generator<void, T>;

/**
 * The versions to delete (garbage collection), least recently used first (docs/spec/core-services.md, 6): never those
 * that are referenced, building, pinned or the current value of a chosen id, nor anything that those need,
 * transitively; nothing used recently; never the highest version of an id while a lower one stays.
 */
export function planCollection(all: readonly Collectable[], limits: CollectLimits): readonly Collectable[] {
  const steps = planSteps(all, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Makes the plan as a generator that yields between short steps. */
export function* planSteps(
  all: readonly Collectable[],
  limits: CollectLimits,
): Steps<readonly Collectable[]> {
  if (limits.maxIdleDays === null && limits.maxBytes === null) return [];
  const retained = yield* keptVersions(all, limits.collectLatest);
  const lowestAge = limits.minIdleSeconds + USE_RESOLUTION_SECONDS;
  const idle = yield* filtered(all, (one) => !retained.has(one) && limits.now - one.lastUsedAt >= lowestAge);
  const candidates = yield* sorted(idle, byLastUse);
  const counts = yield* remainingPerId(all);
  const selection: Collectable[] = [];
  const collected = new Set<Collectable>();
  let bytes = 0;
  yield* each(all, ({ byteSize }) => {
    bytes += byteSize;
  });
  const take = function* (isRemovable: (one: Collectable) => boolean, isDone: () => boolean): Steps<void> {
    let remaining = yield* filtered(candidates, (one) => !collected.has(one) && isRemovable(one));
    for (let before = -1; before !== remaining.length; ) {
      before = remaining.length;
      remaining = yield* filtered(remaining, (one) => {
        if (isDone()) return true;
        const versions = counts.get(one.id) ?? new Set();
        if (versions.size > 1 && one.version === highest(versions)) return true;
        versions.delete(one.version);
        collected.add(one);
        selection.push(one);
        bytes -= one.byteSize;
        return false;
      });
    }
  };
  const { maxIdleDays, maxBytes } = limits;
  if (maxIdleDays !== null) {
    yield* take(
      ({ lastUsedAt }) => limits.now - lastUsedAt > maxIdleDays * DAY_SECONDS,
      () => false,
    );
  }
  if (maxBytes !== null && bytes > maxBytes) {
    yield* take(
      () => true,
      () => bytes <= maxBytes * LEFT_OF_MAX,
    );
  }
  return selection;
}

function* each<T>(items: readonly T[], visit: (item: T) => void): Steps<void> {
  for (let at = 0; at < items.length; at += 1) {
    visit(items[at] as T); // below its length
    if (at % STEP === STEP - 1) yield;
  }
}

function* filtered<T>(items: readonly T[], passes: (item: T) => boolean): Steps<readonly T[]> {
  const some: T[] = [];
  yield* each(items, (item) => {
    if (passes(item)) some.push(item);
  });
  return some;
}

/** Sorts pieces, and merges them in pairs. */
function* sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += STEP) {
    runs.push(items.slice(from, from + STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergedRuns(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedRuns<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  const all: T[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    // In both cases below its length.
    const isFirst = j >= b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0);
    all.push((isFirst ? a[i] : b[j]) as T);
    if (isFirst) i += 1;
    else j += 1;
    if (all.length % STEP === 0) yield;
  }
  return all;
}

function* keptVersions(all: readonly Collectable[], collectLatest: boolean): Steps<ReadonlySet<Collectable>> {
  const latest = new Map<string, Collectable>();
  const byKey = new Map<string, Collectable>();
  yield* each(all, (one) => {
    byKey.set(keyOf(one), one);
    const before = latest.get(one.id);
    if (one.state === 'ready' && (before === undefined || before.version < one.version))
      latest.set(one.id, one);
  });
  const isRoot = (one: Collectable): boolean =>
    one.isReferenced ||
    one.state === 'building' ||
    (!collectLatest && !one.isMinted && latest.get(one.id) === one);
  const retained = new Set<Collectable>();
  const open = [...(yield* filtered(all, isRoot))];
  for (let [one, steps] = [open.pop(), 0]; one !== undefined; one = open.pop()) {
    if (retained.has(one)) continue;
    retained.add(one);
    for (const need of one.needs) {
      const below = byKey.get(keyOf(need));
      if (below !== undefined) open.push(below);
    }
    steps += 1;
    if (steps % STEP === 0) yield;
  }
  return retained;
}

function* remainingPerId(all: readonly Collectable[]): Steps<Map<string, Set<number>>> {
  const counts = new Map<string, Set<number>>();
  yield* each(all, ({ id, version }) => {
    const versions = counts.get(id);
    if (versions === undefined) counts.set(id, new Set([version]));
    else versions.add(version);
  });
  return counts;
}

function highest(versions: ReadonlySet<number>): number {
  let most = 0;
  for (const version of versions) most = Math.max(most, version);
  return most;
}

function byLastUse(a: Collectable, b: Collectable): number {
  return a.lastUsedAt - b.lastUsedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.version - b.version);
}

export function keyOf({ id, version }: VersionRef): string {
  return `${id}@v=${version}`;
}
