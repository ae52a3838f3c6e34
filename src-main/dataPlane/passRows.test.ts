import { type Int32, RecordBatch, type Schema, tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config/loadConfig.ts';
import { ScanAdmission } from './admission/scanAdmission.ts';
import { TurnTaking } from './admission/turnTaking.ts';
import { passRows } from './passRows.ts';

const [batch] = tableFromArrays({ n: Int32Array.from({ length: 100 }, (_, i) => i) }).batches;
if (!(batch instanceof RecordBatch)) throw new Error('no batch');
const schema: Schema<{ n: Int32 }> = batch.schema;

/** Passes on endless rows of a scan with these limits. */
async function pass({ seconds = 60, bytes = 1e9, signal = new AbortController().signal, fails = false }) {
  const scans = new TurnTaking({ max: 1 });
  const log: string[] = [];
  const pieces = passRows(
    {
      tier: 'bulk',
      rows: async (stop) => ({
        schema,
        batches: (async function* () {
          if (fails) throw new Error('no such file');
          for (;;) {
            stop.throwIfAborted();
            yield batch as RecordBatch; // checked above
            await new Promise((resolve) => setImmediate(resolve));
          }
        })(),
      }),
      release: async () => {
        log.push(`released at ${scans.active}`);
      },
    },
    () => log.push('turn'),
    {
      scanAdmission: new ScanAdmission(loadConfig({ cwd: '/', env: {} })),
      scans,
      scanTimeoutSeconds: seconds,
      maxResponseBytes: bytes,
      signal,
    },
  );
  return { pieces, ended: log, scans };
}

async function read(pieces: AsyncIterable<Uint8Array>, most = Number.POSITIVE_INFINITY): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes >= most) break;
  }
  return bytes;
}

describe('rows that pass through', () => {
  it.each<readonly [string, Parameters<typeof pass>[0], object]>([
    ['more bytes than the limit', { bytes: 3_000 }, { status: 413 }],
    ['more time than the limit', { seconds: 0.05 }, { status: 504 }],
  ])('[DP-62] %s ends them, and frees what they hold', async (_what, limits, error) => {
    const { pieces, ended, scans } = await pass(limits);
    await expect(pieces.then((rows) => read(rows))).rejects.toMatchObject(error);
    expect([...new Set(ended)]).toEqual(['turn', 'released at 0']);
    expect(scans.active).toBe(0);
  });

  it('[DP-62] a failure before the first rows is reported before any row', async () => {
    const { pieces, ended } = await pass({ fails: true });
    await expect(pieces).rejects.toThrow('no such file');
    expect(ended).toEqual(['turn', 'released at 0']);
  });

  it('[DP-61] a reader that leaves frees what they hold, once', async () => {
    const { pieces, ended, scans } = await pass({});
    const rows = await pieces;
    expect(scans.active).toBe(1);
    expect(await read(rows, 2_000)).toBeGreaterThanOrEqual(2_000);
    expect([ended, scans.active]).toEqual([['turn', 'released at 0'], 0]);
  });

  it('[DP-61] if its reader stops reading, its turns end after the time limit', async () => {
    const { pieces, ended, scans } = await pass({ seconds: 0.05 });
    const rows = await pieces;
    await expect.poll(() => [ended, scans.active], { timeout: 60_000 }).toEqual([['turn'], 0]);
    await rows.return(undefined);
    expect(ended.at(-1)).toBe('released at 0');
  });

  it('[DP-61] a scan that never gets to its rows is released too', async () => {
    const leaving = new AbortController();
    leaving.abort(new Error('gone'));
    const { pieces, ended } = await pass({ signal: leaving.signal });
    await expect(pieces).rejects.toThrow('gone');
    expect(ended).toEqual(['turn', 'released at 0']);
  });
});
