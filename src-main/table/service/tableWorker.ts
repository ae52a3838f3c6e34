/** The program of the table thread, which reads, filters and exports tables for the data viewer. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { ExportPieces } from '../export/exportPieces.ts';
import { EXPORTERS } from '../export/tableExport.ts';
import { PatternError } from '../query/pattern.ts';
import { SecondThread } from './secondThread.ts';
import { serveSecond } from './secondWorker.ts';
import { TableCache } from './tableCache.ts';
import type { TableAnswer, TableRequest } from './tableQuery.ts';

/**
 * The connection to the server's thread. Requests are answered one after another, so that paging and sorting never
 * block the server. The same program also runs as the second thread.
 */
const port = parentPort;
if (port === null) throw new Error('tableWorker.ts runs as a worker thread');
if (workerData?.second === true) serveSecond(port);
else serveTables(port, Number(workerData?.maxBytes));

interface Tools {
  readonly cache: TableCache;
  readonly second: SecondThread;
  /** Running exports, by the request that started them. */
  readonly exports: Map<number, ExportPieces>;
}

function serveTables(server: MessagePort, maxBytes: number): void {
  const second = new SecondThread(new URL(import.meta.url));
  const tools: Tools = { second, cache: new TableCache(maxBytes, second), exports: new Map() };
  let last = Promise.resolve();
  server.on('message', (request: TableRequest) => {
    last = last.then(async () => {
      const answer = await answerTo(tools, request);
      const memory = answer.kind === 'piece' ? answer.bytes?.buffer : undefined;
      server.postMessage(answer, memory instanceof ArrayBuffer ? [memory] : []);
    });
  });
}

async function answerTo({ cache, second, exports }: Tools, request: TableRequest): Promise<TableAnswer> {
  const { id } = request;
  try {
    switch (request.kind) {
      case 'page':
        return { id, kind: 'page', page: cache.page(request.query) };
      case 'summary':
        return { id, kind: 'summary', summary: await cache.summary(request.query) };
      case 'distributions':
        return { id, kind: 'distributions', distributions: cache.distributions(request.query) };
      case 'column':
        return { id, kind: 'column', column: cache.column(request.query) };
      case 'groups':
        return { id, kind: 'groups', groups: cache.groups(request.query) };
      case 'export': {
        const view = cache.view(request.query);
        if (view.kind === 'other') return { id, kind: 'export', reason: view.reason };
        exports.set(id, EXPORTERS[request.query.format](view.table, view.order, second));
        return { id, kind: 'export', reason: null };
      }
      case 'piece': {
        const pieces = exports.get(request.of);
        for (const memory of request.spare) pieces?.reuse(memory);
        return { id, kind: 'piece', bytes: (await pieces?.next()) ?? null };
      }
      case 'end':
        exports.get(request.of)?.end();
        exports.delete(request.of);
        return { id, kind: 'end' };
      default:
        return request satisfies never;
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, kind: 'failed', message, refused: error instanceof PatternError };
  }
}
