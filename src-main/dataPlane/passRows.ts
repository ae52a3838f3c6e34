/** Streams the rows of a scan to a client without storing them. */

import { ipcStream } from '../iceberg/read/ipcStream.ts';
import type { Scan } from '../iceberg/read/readScan.ts';
import type { ScanAdmission, Tier } from './admission/scanAdmission.ts';
import type { TurnTaking } from './admission/turnTaking.ts';
import { PlaneRefusal, refusalOf } from './planeRefusal.ts';

/** Rows that go to one client and are not stored. */
export interface PassingRows {
  readonly tier: Tier;
  readonly rows: (signal: AbortSignal) => Promise<Scan>;
  /** Closes what was opened for the scan; called once, in any case. */
  readonly release: () => Promise<void>;
}

export interface PassLimits {
  readonly scanAdmission: ScanAdmission;
  readonly scans: TurnTaking;
  readonly scanTimeoutSeconds: number;
  readonly maxResponseBytes: number;
}

/**
 * Reads the first rows of a scan that has been admitted, so that errors up to then become a status. After that,
 * rows are read on demand, and a failure ends the stream early.
 * @param endTurn called once the scan is over
 * @param signal aborted when the client leaves or the server closes
 * @throws PlaneRefusal
 */
export async function passRows(
  passing: PassingRows,
  endTurn: () => void,
  limits: PassLimits & { readonly signal: AbortSignal },
): Promise<AsyncGenerator<Uint8Array>> {
  const left = new AbortController();
  const signal = AbortSignal.any([limits.signal, left.signal]);
  const pieces = within(passing, endTurn, { ...limits, signal });
  try {
    const first = [await pieces.next(), await pieces.next()];
    // Rows read ahead for a client that has left would keep its turns until they arrive.
    return resumed(first, pieces, () => left.abort(new PlaneRefusal(500, 'The client disconnected.')));
  } catch (error) {
    throw refusalOf(error);
  }
}

async function* within(
  { rows, release }: PassingRows,
  endTurn: () => void,
  { scans, signal, ...limits }: PassLimits & { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const turns = [endTurn];
  const endTurns = (): void => {
    for (const end of turns) end();
  };
  const limit = new AbortController();
  const stop = AbortSignal.any([signal, limit.signal]);
  let timer: NodeJS.Timeout | null = null;
  try {
    turns.push(await scans.take('', signal));
    timer = setTimeout(() => {
      limit.abort(late(limits.scanTimeoutSeconds));
      // A client that stops reading must not make others wait.
      endTurns();
    }, limits.scanTimeoutSeconds * 1000);
    let bytes = 0;
    for await (const piece of ipcStream(await rows(stop))) {
      stop.throwIfAborted();
      bytes += piece.byteLength;
      if (bytes > limits.maxResponseBytes) throw tooLarge(limits.maxResponseBytes);
      yield piece;
    }
  } finally {
    if (timer !== null) clearTimeout(timer);
    limit.abort(new PlaneRefusal(500, 'The client disconnected.'));
    endTurns();
    await release();
  }
}

/** Yields the rows read ahead, then the rest. Ending it early also ends the scan. */
function resumed(
  first: readonly IteratorResult<Uint8Array>[],
  rest: AsyncGenerator<Uint8Array>,
  onLeave: () => void,
): AsyncGenerator<Uint8Array> {
  const waiting = [...first];
  return {
    next: async () => waiting.shift() ?? rest.next(),
    return: (value) => {
      onLeave();
      return rest.return(value);
    },
    throw: (error) => rest.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose](),
  };
}

function late(seconds: number): PlaneRefusal {
  return new PlaneRefusal(
    504,
    `Scanning the table took longer than ${seconds} seconds (SVC_SCAN_TIMEOUT_SECONDS). Read fewer columns or rows.`,
  );
}

function tooLarge(most: number): PlaneRefusal {
  return new PlaneRefusal(
    413,
    `The rows have more than ${most} bytes, the limit of a response (SVC_MAX_RESPONSE_BYTES). Read fewer columns or rows.`,
  );
}
