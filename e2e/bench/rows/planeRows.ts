/**
 * Benchmark rows of the data plane: scans of an Iceberg table of five million rows, cold, warm, filtered, and by a
 * hundred readers.
 */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { rest } from '../../support/rest.ts';
import { PROJECT_ROOT, startServerProcess } from '../../support/serverProcess.ts';
import { type Group, median, repeat, timed } from '../row.ts';

const PYTHON = process.env['CELLAR_TEST_SERVICES'];
const READERS = 100;

interface Received {
  readonly bytes: number;
  readonly firstMs: number;
}

/** Sends a request and discards the answer. Not with `fetch`, whose streams cost as much as the server. */
function received(url: string, body?: unknown): Promise<Received> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const json = { 'content-type': 'application/json' };
    const outgoing = body === undefined ? get(url) : request(url, { method: 'POST', headers: json });
    outgoing.once('response', (response) => {
      let bytes = 0;
      let firstMs = 0;
      response.on('data', (piece: Buffer) => {
        if (bytes === 0) firstMs = performance.now() - startedAt;
        bytes += piece.length;
      });
      response.once('end', () => {
        if (response.statusCode === 200) resolve({ bytes, firstMs });
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
      response.once('error', reject);
    });
    outgoing.once('error', reject);
    if (body !== undefined) outgoing.end(JSON.stringify(body));
  });
}

/** The milliseconds that this machine takes to copy this number of bytes through a socket. */
async function loopbackCopy(bytes: number): Promise<number> {
  const piece = Buffer.alloc(1024 * 1024);
  const server = createServer((_request, response) => {
    let left = bytes;
    const write = (): void => {
      while (left > 0) {
        const size = Math.min(left, piece.length);
        left -= size;
        if (!response.write(piece.subarray(0, size))) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // the server listens on TCP
  const ms = median(await repeat(3, () => received(`http://127.0.0.1:${port}`)));
  server.close();
  return ms;
}

/** The milliseconds that DuckDB takes to read every value of the table’s files. */
async function duckdbScan(folder: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  const sql = `SELECT * FROM read_parquet('${folder}/**/*.parquet', hive_partitioning = false)`;
  const ms = median(
    await repeat(3, async () => {
      const result = await connection.stream(sql);
      for (;;) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) break;
      }
    }),
  );
  connection.closeSync();
  instance.closeSync();
  return ms;
}

function memoryMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

export const planeRows: Group = {
  title: 'scans of an Iceberg table of 5e6 x 5',
  async run(record, { smoke }) {
    if (PYTHON === undefined) {
      process.stderr.write('bench: no Iceberg table without CELLAR_TEST_SERVICES\n');
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const program = join(PROJECT_ROOT, 'e2e/services/bench_table.py');
    const count = smoke ? 500_000 : 5_000_000;
    await promisify(execFile)(PYTHON, ['-I', program, folder, String(count)]);
    const server = await startServerProcess({
      env: {
        // All readers are one client and read at the same time, which the default limits would not allow.
        SVC_PER_CLIENT_INTERACTIVE: '0',
        SVC_INTERACTIVE_SLOTS: String(READERS),
        SVC_CACHE_DIR: join(folder, 'cache'),
        SVC_ARTIFACT_DIR: join(folder, 'store'),
      },
    });
    const table = `${folder}#ns.events`;
    const turns = smoke ? 2 : 5;
    const scan = (more: object = {}) => received(`${server.url}/v1/scan`, { table, ...more });
    await received(`${server.url}/v1/scan`, {
      table,
      columns: ['id'],
      filters: [{ column: 'id', op: '<', value: 1 }],
    });
    const before = memoryMiB(server.pid);
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, memoryMiB(server.pid));
    }, 20);

    const cold: number[] = [];
    const firsts: number[] = [];
    let bytes = 0;
    for (let i = 0; i < turns; i += 1) {
      await rest(server.url, 'POST', '/v1/cache/clear');
      cold.push(
        await timed(async () => {
          const answer = await scan();
          bytes = answer.bytes;
          firsts.push(answer.firstMs);
        }),
      );
    }
    record('scan, cold', cold);
    record('scan, first byte', firsts);
    const warm = await repeat(turns, () => scan());
    record('scan, warm', warm);
    record('scan, two columns', await repeat(turns, () => scan({ columns: ['id', 'a'] })));
    const hundredth = { filters: [{ column: 'id', op: '<', value: count / 100 }] };
    record('scan, one row in a hundred', await repeat(turns, () => scan(hundredth)));
    const explain = { inputs: [table], transform: { executor: 'scan@v1', params: {} } };
    record(
      'scan, warm plan',
      await repeat(smoke ? 5 : 30, () =>
        rest(server.url, 'POST', '/v1/artifacts/explain-materialize', explain),
      ),
    );
    clearInterval(watch);
    record('scan, memory', [most - before]);
    record('scan, a hundred readers', [
      await timed(() =>
        Promise.all(Array.from({ length: READERS }, () => scan({ ...hundredth, columns: ['id'] }))),
      ),
    ]);
    record('scan, cold over DuckDB', [median(cold) / (await duckdbScan(folder))]);
    record('scan, warm over a copy', [median(warm) / (await loopbackCopy(bytes))]);
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  },
};
