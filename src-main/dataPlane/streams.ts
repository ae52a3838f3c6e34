/** The streams of the data plane that clients may fetch, until they expire. */

import { randomUUID } from 'node:crypto';
import type { Party } from '../registry/versionRow.ts';
import type { Tier } from './admission/scanAdmission.ts';
import type { PlaneBuild } from './build.ts';
import type { PassingRows } from './passRows.ts';
import { PlaneRefusal } from './planeRefusal.ts';

/**
 * What a stream gives: a version that is built when it is fetched, or rows that pass through where there is no store.
 */
type StreamSource =
  | {
      readonly kind: 'build';
      readonly build: PlaneBuild;
      readonly tier: Tier;
      readonly onExpired: () => void;
    }
  | ({ readonly kind: 'rows' } & PassingRows);

interface Stream {
  readonly owner: Party;
  readonly source: StreamSource;
  /** The number of requests being answered. */
  readers: number;
  timer: NodeJS.Timeout | null;
}

/** The streams that clients can fetch; they expire some time after they were created or last fetched. */
export class Streams {
  readonly #byId = new Map<string, Stream>();
  readonly #ttlMs: number;

  constructor(ttlSeconds: number) {
    this.#ttlMs = ttlSeconds * 1000;
  }

  /** @param id used if it is free or already belongs to this owner and build; otherwise a new id is created */
  add(id: string, owner: Party, source: StreamSource): string {
    const there = this.#byId.get(id);
    if (there !== undefined) {
      const isSame =
        there.source.kind === 'build' && source.kind === 'build' && there.source.build === source.build;
      if (!isSame || !isOwner(there.owner, owner)) return this.add(randomUUID(), owner, source);
      this.#arm(id, there);
      return id;
    }
    const stream: Stream = { owner, source, readers: 0, timer: null };
    this.#byId.set(id, stream);
    this.#arm(id, stream);
    return id;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /**
   * Uses a stream, which does not expire meanwhile.
   * @throws PlaneRefusal 404 for an unknown stream, one that expired, and one of another client
   */
  async use<T>(id: string, party: Party, answer: (source: StreamSource) => Promise<T>): Promise<T> {
    const stream = this.#byId.get(id);
    if (stream === undefined || !isOwner(stream.owner, party)) throw unknownStream(id);
    stream.readers += 1;
    this.#disarm(stream);
    // Rows that pass through can be taken once.
    if (stream.source.kind === 'rows') this.#byId.delete(id);
    try {
      return await answer(stream.source);
    } catch (error) {
      // A client that got no turn will try again.
      if (error instanceof PlaneRefusal && error.status === 429) this.#byId.set(id, stream);
      throw error;
    } finally {
      stream.readers -= 1;
      if (this.#byId.has(id) && stream.readers === 0) this.#arm(id, stream);
    }
  }

  /** Forgets all streams without expiring them. */
  close(): void {
    for (const stream of this.#byId.values()) this.#disarm(stream);
    this.#byId.clear();
  }

  #arm(id: string, stream: Stream): void {
    this.#disarm(stream);
    stream.timer = setTimeout(() => {
      this.#byId.delete(id);
      const { source } = stream;
      if (source.kind === 'rows') void source.release();
      else source.onExpired();
    }, this.#ttlMs);
    stream.timer.unref();
  }

  #disarm(stream: Stream): void {
    if (stream.timer !== null) clearTimeout(stream.timer);
    stream.timer = null;
  }
}

function isOwner(owner: Party, party: Party): boolean {
  return party.isAdmin || (owner.tenant === party.tenant && owner.principal === party.principal);
}

function unknownStream(id: string): PlaneRefusal {
  return new PlaneRefusal(404, `Stream not found: ${id.slice(0, 64)}`);
}
