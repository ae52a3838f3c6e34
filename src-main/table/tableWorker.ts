import { parentPort, workerData } from 'node:worker_threads';
import { TableCache } from './tableCache.ts';
import type { TableAnswer, TableRequest } from './tableQuery.ts';

/** The table thread: answers one request after the other, so that paging and sorting never hold up the server. */
const port = parentPort;
if (port === null) throw new Error('tableWorker.ts runs as a worker thread');
const cache = new TableCache(Number(workerData?.maxBytes));

port.on('message', (request: TableRequest) => {
  port.postMessage(answer(request));
});

function answer(request: TableRequest): TableAnswer {
  const { id } = request;
  try {
    if (request.kind === 'page') return { id, kind: 'page', page: cache.page(request.query) };
    return { id, kind: 'summary', summary: cache.summary(request.query) };
  } catch (error) {
    return { id, kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
