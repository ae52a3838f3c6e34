/** For tests of the routes: a server with one open notebook in memory. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Output } from '../../../src-shared/wire/output.ts';
import { sampleCell } from '../../../src-shared/wire/testing/sampleNotebook.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { PageQuery } from '../../table/service/tableQuery.ts';
import { type MemorySession, MemorySessions } from './memorySessions.ts';
import { startTestServer, type TestServer } from './testServer.ts';

export const SHA = 'a'.repeat(64);
const PNG = 'svc://artifact/png@v=1';
const HTML = 'svc://artifact/html@v=2';
export const TABLE = 'svc://artifact/t@v=3';

function output(content_type: string, artifact_uri: string): Output {
  return {
    content_type,
    rows: null,
    columns: null,
    bytes: 4,
    artifact_uri,
    preview: null,
    inline_data_url: null,
    markdown_text: null,
    width: null,
    height: null,
    error: null,
  };
}

/** Cell `a` of the notebook shows a PNG and an HTML output, and stored a table. */
export interface NotebookServer {
  readonly server: TestServer;
  readonly session: MemorySession;
  /** The file of every stored artifact; it contains `data`. */
  readonly blob: string;
  /** The requests to the table service. */
  readonly pages: readonly PageQuery[];
  /** A request; `SID` in the path is replaced by the session's id. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export async function startNotebookServer(): Promise<NotebookServer> {
  const folder = mkdtempSync(join(tmpdir(), 'notebook-server-'));
  const blob = join(folder, 'blob');
  writeFileSync(blob, 'data');
  const stored = (contentType: string) => ({ path: blob, contentType, sha256: SHA });
  const sessions = new MemorySessions({
    cells: [sampleCell({ id: 'a', display_outputs: [output('image/png', PNG), output('text/html', HTML)] })],
    stored: new Map([
      [PNG, stored('image/png')],
      [HTML, stored('text/html')],
      [TABLE, stored('arrow/ipc')],
    ]),
  });
  const pages: PageQuery[] = [];
  const server = await startTestServer({
    sessions,
    app: {
      tables: {
        page: async (query) => {
          pages.push(query);
          if (query.search === 'not a table') return { pageable: false, reason: 'no' };
          const { offset, limit } = query;
          return {
            pageable: true,
            columns: ['x'],
            rows: [[1]],
            total: 1,
            offset,
            limit,
            sort_by: null,
            sort_dir: 'asc',
          };
        },
        summary: () => Promise.reject(new Error('unused')),
        distributions: () => Promise.reject(new Error('unused')),
        column: () => Promise.reject(new Error('unused')),
        groups: () => Promise.reject(new Error('unused')),
        export: () => Promise.reject(new Error('unused')),
      },
    },
  });
  const session = await sessions.open(notebookFolder('/nb'));
  return {
    server,
    session,
    blob,
    pages,
    fetch: (path, init) => server.fetch(path.replace('SID', session.id), init),
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A POST with a JSON body (a string is sent unchanged). */
export function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
}
