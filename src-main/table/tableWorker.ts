import { parentPort, workerData } from 'node:worker_threads';
import { TableCache } from './tableCache.ts';
import { EXPORTERS, type ExportPieces } from './tableExport.ts';
import type { TableAnswer, TableRequest } from './tableQuery.ts';

/** The table thread: answers one request after the other, so that paging and sorting never hold up the server. */
const port = parentPort;
if (port === null) throw new Error('tableWorker.ts runs as a worker thread');
const cache = new TableCache(Number(workerData?.maxBytes));
/** Exports under way, by the question that began them. */
const exports = new Map<number, ExportPieces>();

port.on('message', (request: TableRequest) => {
  const answer = answerTo(request);
  const given = answer.kind === 'piece' && answer.bytes !== null ? [answer.bytes.buffer] : [];
  port.postMessage(answer, given);
});

function answerTo(request: TableRequest): TableAnswer {
  const { id } = request;
  try {
    switch (request.kind) {
      case 'page':
        return { id, kind: 'page', page: cache.page(request.query) };
      case 'summary':
        return { id, kind: 'summary', summary: cache.summary(request.query) };
      case 'export': {
        const view = cache.view(request.query);
        if (view.kind === 'other') return { id, kind: 'export', reason: view.reason };
        exports.set(id, EXPORTERS[request.query.format](view.table, view.order));
        return { id, kind: 'export', reason: null };
      }
      case 'piece':
        return { id, kind: 'piece', bytes: exports.get(request.of)?.next() ?? null };
      case 'end':
        exports.delete(request.of);
        return { id, kind: 'end' };
      default:
        return request satisfies never;
    }
  } catch (error) {
    return { id, kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
