/** The program of the second table thread, which helps the first one with summaries and CSV exports. */

import type { MessagePort } from 'node:worker_threads';
import { type ReadTable, tableFrom } from '../columns/readTable.ts';
import { type CsvRows, csvRows } from '../export/csvRows.ts';
import { summarizeShare } from '../summary/summarizeAll.ts';
import type { SecondAnswer, SecondRequest } from './secondThread.ts';

interface Held {
  readonly read: ReadTable;
  /** A loan is for one export, so the order of its rows never changes. */
  csv: CsvRows | null;
}

/** Answers one request after another about tables that the first thread lent. */
export function serveSecond(port: MessagePort): void {
  const loans = new Map<number, Held>();
  port.on('message', (request: SecondRequest) => {
    switch (request.kind) {
      case 'hold':
        loans.set(request.key, { read: tableFrom(request.bytes), csv: null });
        return;
      case 'drop':
        loans.delete(request.key);
        return;
      default: {
        const answer = answerTo(loans, request);
        const memory = answer.kind === 'part' ? answer.part.bytes.buffer : null;
        port.postMessage(answer, memory instanceof ArrayBuffer ? [memory] : []);
      }
    }
  });
}

type Question = Extract<SecondRequest, { readonly id: number }>;

function answerTo(loans: ReadonlyMap<number, Held>, request: Question): SecondAnswer {
  const { id } = request;
  try {
    const loanedTable = loans.get(request.key);
    if (loanedTable === undefined || loanedTable.read.kind === 'other')
      throw new Error('this table was not lent');
    const { table } = loanedTable.read;
    if (request.kind === 'summarize') {
      return { id, kind: 'summaries', found: summarizeShare(table, new Int32Array(request.next)) };
    }
    const { order } = request;
    loanedTable.csv ??= csvRows(table, order === null ? null : new Uint32Array(order));
    return { id, kind: 'part', part: loanedTable.csv.part(request) };
  } catch (error) {
    return { id, kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
