/** Counts hits, misses and evictions of the row-group cache, for the routes about the cache. */
export interface Counts {
  hits: number;
  misses: number;
  bytesFromCache: number;
  bytesFromStorage: number;
}

export interface Eviction {
  readonly timestamp: number;
  readonly files_evicted: number;
  readonly bytes_evicted: number;
  readonly cache_size_before: number;
  readonly cache_size_after: number;
  readonly reason: string;
}

const LONGEST_WINDOW = 3600;
const WINDOWS = [60, 300, LONGEST_WINDOW];
const TOP_TABLES = 5;
const MAX_TABLES = 10_000;
const KEPT_EVICTIONS = 100;

export class CacheMetrics {
  readonly #now: () => number;
  #startedAt: number;
  #lifetime = none();
  /** Counts of each second, by whole epoch second. */
  #seconds = new Map<number, Counts>();
  #tables = new Map<string, Counts>();
  #evictions: Eviction[] = [];
  #totals = { evictions: 0, files: 0, bytes: 0 };

  /** @param now epoch seconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  record(table: string, kind: 'hit' | 'miss', bytes: number): void {
    const second = Math.floor(this.#now());
    const lately = this.#seconds.get(second) ?? none();
    this.#seconds.set(second, lately);
    for (const old of this.#seconds.keys()) {
      if (old >= second - LONGEST_WINDOW) break;
      this.#seconds.delete(old);
    }
    const own = this.#tables.get(table) ?? none();
    if (this.#tables.size < MAX_TABLES) this.#tables.set(table, own);
    for (const counts of [this.#lifetime, lately, own]) {
      if (kind === 'hit') {
        counts.hits += 1;
        counts.bytesFromCache += bytes;
      } else {
        counts.misses += 1;
        counts.bytesFromStorage += bytes;
      }
    }
  }

  recordEviction(event: Omit<Eviction, 'timestamp'>): void {
    this.#evictions = [...this.#evictions, { timestamp: this.#now(), ...event }].slice(-KEPT_EVICTIONS);
    this.#totals.evictions += 1;
    this.#totals.files += event.files_evicted;
    this.#totals.bytes += event.bytes_evicted;
  }

  reset(): void {
    this.#startedAt = this.#now();
    this.#lifetime = none();
    this.#seconds = new Map();
    this.#tables = new Map();
    this.#evictions = [];
    this.#totals = { evictions: 0, files: 0, bytes: 0 };
  }

  histogram() {
    const now = this.#now();
    return {
      lifetime: rated(this.#lifetime),
      windows: WINDOWS.map((seconds) => {
        const sum = none();
        for (const [second, counts] of this.#seconds) if (second > now - seconds) add(sum, counts);
        const { total } = rated(sum);
        return {
          window_seconds: seconds,
          covered_seconds: Math.min(seconds, Math.max(0, now - this.#startedAt)),
          ...rated(sum),
          miss_rate: total === 0 ? 0 : sum.misses / total,
        };
      }),
      top_tables: [...this.#tables]
        .map(([table, counts]) => {
          const { hits, misses, total, hit_rate } = rated(counts);
          return { table_id: table, hits, misses, total, hit_rate };
        })
        .sort((a, b) => b.total - a.total)
        .slice(0, TOP_TABLES),
    };
  }

  /** Totals, and the newest evictions. @param limit maximum number of evictions; null: none are listed */
  evictions(limit: number | null) {
    const now = this.#now();
    const since = (seconds: number) => this.#evictions.filter(({ timestamp }) => timestamp > now - seconds);
    const bytes = (events: readonly Eviction[]) =>
      events.reduce((sum, event) => sum + event.bytes_evicted, 0);
    const [minute, hour] = [since(60), since(3600)];
    const rate = minute.length;
    return {
      total_evictions: this.#totals.evictions,
      total_files_evicted: this.#totals.files,
      total_bytes_evicted: this.#totals.bytes,
      evictions_last_minute: minute.length,
      evictions_last_hour: hour.length,
      bytes_evicted_last_minute: bytes(minute),
      bytes_evicted_last_hour: bytes(hour),
      eviction_rate_per_minute: rate,
      last_eviction_at: this.#evictions.at(-1)?.timestamp ?? null,
      pressure_level: pressureOf(rate),
      ...(limit === null ? {} : { recent_events: this.#evictions.slice(-limit).reverse() }),
    };
  }
}

/** The pressure on the cache, by its evictions per minute. */
export function pressureOf(perMinute: number): 'low' | 'medium' | 'high' | 'critical' {
  if (perMinute < 1) return 'low';
  if (perMinute < 5) return 'medium';
  return perMinute < 10 ? 'high' : 'critical';
}

function none(): Counts {
  return { hits: 0, misses: 0, bytesFromCache: 0, bytesFromStorage: 0 };
}

function add(into: Counts, counts: Counts): void {
  into.hits += counts.hits;
  into.misses += counts.misses;
  into.bytesFromCache += counts.bytesFromCache;
  into.bytesFromStorage += counts.bytesFromStorage;
}

function rated({ hits, misses, bytesFromCache, bytesFromStorage }: Counts) {
  const total = hits + misses;
  return {
    hits,
    misses,
    total,
    hit_rate: total === 0 ? 0 : hits / total,
    bytes_from_cache: bytesFromCache,
    bytes_from_storage: bytesFromStorage,
  };
}
