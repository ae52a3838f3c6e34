/** Opens a notebook of a running server over REST and provides the calls that tests make on it. */

import type { Cell } from '../../src-shared/wire/cell.ts';
import type { ExecutionResult } from '../../src-shared/wire/execution.ts';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { type CellText, writeNotebook } from './notebookFolder.ts';
import { lendEnvironment } from './preparedEnvironment.ts';
import { type Answer, openReady, rest } from './rest.ts';
import type { ServerProcess } from './serverProcess.ts';

/** An open notebook of a running server, with the calls of a REST client. */
export interface OpenNotebook {
  readonly sid: string;
  readonly path: string;
  readonly opened: SessionStateBody;
  execute(cell: string, mode?: 'normal' | 'rerun' | 'force'): Promise<ExecutionResult>;
  edit(cell: string, source: string): Promise<void>;
  cell(id: string): Promise<Cell>;
  get<T>(path: string): Promise<Answer<T>>;
  close(): Promise<Answer>;
}

export async function openNotebook(
  server: ServerProcess,
  dir: string,
  cells?: readonly CellText[],
): Promise<OpenNotebook> {
  if (cells !== undefined) {
    await writeNotebook(dir, { cells });
    await lendEnvironment(dir);
  }
  const opened = await openReady(server.url, dir);
  const base = `/v1/notebooks/${opened.session_id}`;
  return {
    sid: opened.session_id,
    path: dir,
    opened,
    async execute(cell, mode = 'normal') {
      const answer = await rest<ExecutionResult>(
        server.url,
        'POST',
        `${base}/cells/${cell}/execute?mode=${mode}`,
      );
      if (answer.status !== 200)
        throw new Error(`execute answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    async edit(cell, source) {
      const answer = await rest(server.url, 'PUT', `${base}/cells/${cell}`, { source });
      if (answer.status !== 200)
        throw new Error(`edit answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
    async cell(id) {
      const { body } = await rest<{ cells: Cell[] }>(server.url, 'GET', `${base}/cells`);
      const cell = body.cells.find((one) => one.id === id);
      if (cell === undefined) throw new Error(`no cell ${id}`);
      return cell;
    },
    get: (path) => rest(server.url, 'GET', `${base}${path}`),
    close: () => rest(server.url, 'POST', `${base}/close`),
  };
}
