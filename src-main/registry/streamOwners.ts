import type { Database } from 'better-sqlite3';

/** Records which server has a stream of the data plane, for servers that share an artifact store. */
export interface StreamOwners {
  /** Records the owner. @param seconds how long the stream can be fetched */
  set(streamId: string, nodeUrl: string, seconds: number): void;
  /** The URL of the server that has the stream; null if unknown. */
  find(streamId: string): string | null;
}

export function createStreamOwners(database: Database, now: () => number): StreamOwners {
  return {
    set(streamId, nodeUrl, seconds) {
      database.prepare('DELETE FROM stream_owners WHERE expires_at < ?').run(now());
      database
        .prepare('INSERT OR REPLACE INTO stream_owners VALUES (?, ?, ?, ?)')
        .run(streamId, nodeUrl, now(), now() + seconds);
    },
    find: (streamId) =>
      database
        .prepare<[string, number], string>(
          'SELECT node_url FROM stream_owners WHERE stream_id = ? AND expires_at >= ?',
        )
        .pluck()
        .get(streamId, now()) ?? null,
  };
}
