import type { VersionRef, VersionState } from './versionRow.ts';

/** A version as the collector sees it. */
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

/** A last use may be recorded this late (docs/spec/core-services.md). */
const USE_RESOLUTION_SECONDS = 300;
const LEFT_OF_MAX = 0.8;
const DAY_SECONDS = 86_400;

/**
 * The versions to collect, least recently used first (docs/spec/core-services.md):
 * never those that are referenced, building, pinned or the current value of a chosen id, nor anything that those need,
 * transitively; nothing used recently; never the highest version of an id while a lower one stays.
 */
export function planCollection(all: readonly Collectable[], limits: CollectLimits): readonly Collectable[] {
  if (limits.maxIdleDays === null && limits.maxBytes === null) return [];
  const retained = keptVersions(all, limits.collectLatest);
  const lowestAge = limits.minIdleSeconds + USE_RESOLUTION_SECONDS;
  const candidates = all
    .filter((one) => !retained.has(keyOf(one)) && limits.now - one.lastUsedAt >= lowestAge)
    .sort(byLastUse);
  const counts = remainingPerId(all);
  const chosen: Collectable[] = [];
  const take = (wanted: (one: Collectable) => boolean, isDone: () => boolean): void => {
    let remaining = candidates.filter((one) => !collected.has(one) && wanted(one));
    for (let before = -1; before !== remaining.length; ) {
      before = remaining.length;
      remaining = remaining.filter((one) => {
        if (isDone()) return true;
        const versions = counts.get(one.id) ?? new Set();
        if (versions.size > 1 && one.version === highest(versions)) return true;
        versions.delete(one.version);
        collected.add(one);
        chosen.push(one);
        bytes -= one.byteSize;
        return false;
      });
    }
  };
  const collected = new Set<Collectable>();
  let bytes = all.reduce((sum, { byteSize }) => sum + byteSize, 0);
  const { maxIdleDays, maxBytes } = limits;
  if (maxIdleDays !== null) {
    take(
      ({ lastUsedAt }) => limits.now - lastUsedAt > maxIdleDays * DAY_SECONDS,
      () => false,
    );
  }
  if (maxBytes !== null && bytes > maxBytes) {
    take(
      () => true,
      () => bytes <= maxBytes * LEFT_OF_MAX,
    );
  }
  return chosen;
}

function keptVersions(all: readonly Collectable[], collectLatest: boolean): ReadonlySet<string> {
  const byKey = new Map(all.map((one) => [keyOf(one), one]));
  const latest = new Map<string, Collectable>();
  for (const one of all) {
    const before = latest.get(one.id);
    if (one.state === 'ready' && (before === undefined || before.version < one.version))
      latest.set(one.id, one);
  }
  const isRoot = (one: Collectable): boolean =>
    one.isReferenced ||
    one.state === 'building' ||
    (!collectLatest && !one.isMinted && latest.get(one.id) === one);
  const retained = new Set<string>();
  const open = all.filter(isRoot);
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (retained.has(keyOf(one))) continue;
    retained.add(keyOf(one));
    for (const need of one.needs) {
      const below = byKey.get(keyOf(need));
      if (below !== undefined) open.push(below);
    }
  }
  return retained;
}

function remainingPerId(all: readonly Collectable[]): Map<string, Set<number>> {
  const counts = new Map<string, Set<number>>();
  for (const { id, version } of all) {
    const versions = counts.get(id);
    if (versions === undefined) counts.set(id, new Set([version]));
    else versions.add(version);
  }
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
