/**
 * A scripted server for the renderer's own tests. It speaks the real REST and live protocol: every answer and every
 * frame is parsed by the contracts before it leaves, so the fake cannot drift from them. It computes nothing: what
 * a run does is what the test says.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { DagCell } from '../../src-shared/wire/dag.ts';
import type { ClientFrame, ClientFrameType } from '../../src-shared/wire/frames/client.ts';
import { CLIENT_FRAMES, isClientFrameType } from '../../src-shared/wire/frames/client.ts';
import { clientEnvelope } from '../../src-shared/wire/frames/envelope.ts';
import type { ServerFrameType, ServerPayload } from '../../src-shared/wire/frames/server.ts';
import { SERVER_FRAMES } from '../../src-shared/wire/frames/server.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import type { RouteName } from '../../src-shared/wire/routes/all.ts';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import type {
  Explanation,
  KeptResult,
  ListedFile,
  LogLine,
} from '../../src-shared/wire/routes/extensions.ts';
import { fakeCell } from './fakeServerNotebook.ts';
import type { FakeTable } from './fakeTable.ts';
import { exportOf, pageOf, summaryOf } from './fakeTable.ts';

const RENDERER =
  process.env['FAKE_RENDERER'] ?? fileURLToPath(new URL('../../dist/renderer/', import.meta.url));
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};
/** As the real server sends it; the page of the output frame brings its own policy. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; base-uri 'none'; form-action 'none'";

type Payload<T extends ClientFrameType> = Extract<ClientFrame, { type: T }>['payload'];
type Script = { [T in ClientFrameType]?: (payload: Payload<T>, socket: WebSocket) => void };
type BlobAnswer = { readonly type: string; readonly bytes: Buffer };

/** One REST request as a scripted answer sees it. */
export interface FakeCall {
  readonly name: RouteName;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}
type ScriptedAnswer = object | string | ((call: FakeCall) => object | string);
export type FakeAnswers = { [N in RouteName]?: ScriptedAnswer };

class Refusal {
  readonly status: number;
  readonly detail: unknown;
  constructor(status: number, detail: unknown) {
    this.status = status;
    this.detail = detail;
  }
}

/** As a scripted answer: the route refuses. */
export function refusal(status: number, detail: unknown): object {
  return new Refusal(status, detail);
}

export class FakeServer {
  body: NotebookBody;
  sessionId = 's1';
  readonly path: string;
  /** What the server does on a client frame; edits and sync are answered by themselves. */
  script: Script = {};
  /** Every client frame received, in order. */
  readonly received: ClientFrame[] = [];
  /** Requests of the data route, as query strings. */
  readonly dataQueries: string[] = [];
  /** Requests of the export route, as query strings. */
  readonly exportQueries: string[] = [];
  exportGate: Promise<void> = Promise.resolve();
  tables = new Map<string, FakeTable>();
  blobs = new Map<string, BlobAnswer>();
  files: ListedFile[] = [];
  explanations = new Map<string, Explanation>();
  logLines: LogLine[] = [];
  /** What is kept of each cell, newest first. */
  results = new Map<string, readonly KeptResult[]>();
  /** Upgrades are answered 403, as for a session that is gone. */
  refuseUpgrades = false;
  /**
   * What a route answers, by name: a body, or a function of the call. It goes before what the fake does by itself;
   * `refusal` makes an error of it, and a `bytes` route takes a Buffer or text.
   */
  answers: FakeAnswers = {};
  /** Every REST request, in order. */
  readonly requests: FakeCall[] = [];
  openRefusal: { status: number; detail: unknown } | null = null;
  readonly #deleted = new Map<string, { readonly cell: Cell; readonly at: number }>();
  #seq = 0;
  readonly #sockets = new Set<WebSocket>();
  readonly #http = createServer((request, response) => void this.#serve(request, response));
  readonly #live = new WebSocketServer({ noServer: true });

  constructor(body: NotebookBody, path = '/home/me/notebooks/bike-trips') {
    this.body = body;
    this.path = path;
    this.#http.on('upgrade', (request, socket, head) => {
      const sid = /^\/v1\/notebooks\/ws\/([^/?]+)/.exec(request.url ?? '')?.[1];
      if (this.refuseUpgrades || sid !== this.sessionId) {
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      this.#live.handleUpgrade(request, socket, head, (client) => this.#join(client));
    });
  }

  /** Listens on a free loopback port (or the one given) and answers the origin. */
  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#http.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port; // a listening TCP server has one
  }

  get connected(): number {
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    this.dropSockets();
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }

  dropSockets(): void {
    for (const socket of this.#sockets) socket.terminate();
    this.#sockets.clear();
  }

  /** Sends one frame to everybody, with the next seq. */
  send<T extends ServerFrameType>(type: T, payload: ServerPayload<T>, only?: WebSocket): void {
    const parsed = SERVER_FRAMES[type].payload.parse(payload);
    this.#seq += 1;
    const text = JSON.stringify({ type, seq: this.#seq, ts: new Date().toISOString(), payload: parsed });
    for (const socket of only === undefined ? this.#sockets : [only]) socket.send(text);
  }

  /** Uses up a seq, as a frame for another socket does. */
  skipSeq(): void {
    this.#seq += 1;
  }

  cell(id: string): Cell {
    const found = this.body.cells.find((cell) => cell.id === id);
    if (found === undefined) throw new Error(`the fake notebook has no cell ${id}`);
    return found;
  }

  setCell(id: string, fields: Partial<Cell>): void {
    this.body = {
      ...this.body,
      cells: this.body.cells.map((cell) => (cell.id === id ? { ...cell, ...fields } : cell)),
    };
  }

  status(id: string, status: Cell['status'], more: Partial<ServerPayload<'cell_status'>> = {}): void {
    const { staleness_reasons = [], causality } = more;
    this.setCell(id, { status, staleness_reasons, ...(causality === undefined ? {} : { causality }) });
    this.send('cell_status', { cell_id: id, status, ...more });
  }

  output(id: string, more: Partial<ServerPayload<'cell_output'>> = {}): void {
    const payload = {
      cell_id: id,
      outputs: {},
      cache_hit: false,
      duration_ms: 12,
      artifact_uri: null,
      artifact_uris: {},
      stdout: '',
      stderr: '',
      execution_method: 'warm' as const,
      mutation_warnings: [],
      ...more,
    };
    const displays = payload.displays ?? [];
    this.setCell(id, {
      display_outputs: displays,
      display_output: displays.at(-1) ?? null,
      console_stdout: payload.stdout,
      console_stderr: payload.stderr,
      cache_hit: payload.cache_hit,
      error: null,
    });
    this.send('cell_output', payload);
  }

  broadcastState(): void {
    this.send('notebook_state', { ...this.body, dag: this.#dag() });
  }

  #join(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('message', (data) => this.#handle(String(data), socket));
    this.send('presence', {
      principals: [{ principal: 'local', focused_cell_id: null, since: Date.now() / 1_000 }],
      you: 'local',
    });
  }

  #handle(text: string, socket: WebSocket): void {
    const { type, payload } = clientEnvelope.parse(JSON.parse(text));
    if (!isClientFrameType(type)) throw new Error(`not a client frame: ${type}`);
    const frame = { type, payload: CLIENT_FRAMES[type].payload.parse(payload) } as ClientFrame; // parsed by `type`
    this.received.push(frame);
    const scripted = this.script[type] as ((payload: unknown, socket: WebSocket) => void) | undefined;
    if (scripted !== undefined) scripted(frame.payload, socket);
    else if (frame.type === 'notebook_sync') {
      this.send('notebook_state', { ...this.body, dag: this.#dag() }, socket);
    } else if (frame.type === 'cell_source_update') this.#edit(frame.payload, socket);
  }

  #edit(payload: { cell_id: string; source: string }, sender: WebSocket): void {
    this.setCell(payload.cell_id, { source: payload.source });
    for (const socket of this.#sockets) {
      const source = socket === sender ? null : payload.source;
      const cells = this.body.cells.map((cell) =>
        dagCellOf(cell, cell.id === payload.cell_id ? source : null),
      );
      this.send('dag_update', { ...this.#dag(), cells, variant_groups: [] }, socket);
    }
    for (const cell of this.body.cells) {
      this.send('cell_status', {
        cell_id: cell.id,
        status: cell.status,
        staleness_reasons: cell.staleness_reasons,
        ...(cell.causality === undefined ? {} : { causality: cell.causality }),
      });
    }
  }

  #dag() {
    const ids = this.body.cells.map((cell) => cell.id);
    return { edges: [], topological_order: ids, leaves: [], roots: ids, variable_producer: {} };
  }

  /** The graph as REST answers carry it. */
  #dagBody() {
    return { ...this.#dag(), variant_groups: [] };
  }

  #state() {
    return {
      ...this.body,
      dag: this.#dag(),
      session_id: this.sessionId,
      path: this.path,
      deployment_mode: 'personal' as const,
      default_parent_path: '/home/me/notebooks',
      available_python_versions: ['3.13'],
      default_python_version: '3.13',
      python_selection_fixed: true,
      registry_enabled: true,
      team_store_configured: false,
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    if (url.pathname.startsWith('/v1/')) return this.#api(request, response, url);
    const file = normalize(url.pathname === '/' ? '/index.html' : url.pathname);
    try {
      const bytes = await readFile(join(RENDERER, file));
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      const policy = file === '/index.html' ? { 'content-security-policy': PAGE_POLICY } : {};
      response.writeHead(200, { 'content-type': type, 'x-content-type-options': 'nosniff', ...policy });
      response.end(bytes);
    } catch (_missing) {
      response.writeHead(404).end('not found');
    }
  }

  async #api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const found = matchRoute(request.method ?? 'GET', url.pathname);
    if (found === null) return refuse(response, 404, 'Not Found');
    const body: unknown = await readJson(request);
    const { name, params } = found;
    const call: FakeCall = { name, params, query: Object.fromEntries(url.searchParams), body };
    this.requests.push(call);
    const scripted = this.answers[name];
    const answer =
      scripted === undefined
        ? this.#answer(name, { params, body, url, response })
        : typeof scripted === 'function'
          ? scripted(call)
          : scripted;
    if (answer === undefined) return;
    if (answer instanceof Refusal) return refuse(response, answer.status, answer.detail);
    const schema = ROUTES[name].response;
    if (schema === 'bytes') return void response.end(answer);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(schema.parse(answer)));
  }

  /** The answer's body, or undefined when the response was already written. */
  #answer(
    name: RouteName,
    call: { params: Record<string, string>; body: unknown; url: URL; response: ServerResponse },
  ): unknown {
    const { params, body, url, response } = call;
    const id = params['cell_id'] ?? '';
    switch (name) {
      case 'openNotebook':
        if (this.openRefusal === null) return this.#state();
        return refuse(response, this.openRefusal.status, this.openRefusal.detail);
      case 'getSession':
        return this.#state();
      case 'listSessions':
        return {
          sessions: [
            {
              session_id: this.sessionId,
              name: this.body.name,
              path: this.path,
              notebook_id: this.body.id,
              created_at: null,
              updated_at: null,
            },
          ],
        };
      case 'discoverNotebooks':
        return { root: '/home/me/notebooks', notebooks: [] };
      case 'validateRecents':
        return { valid: ROUTES.validateRecents.body.parse(body).paths };
      case 'deleteNotebook':
        this.send('session_closed', { reason: 'deleted', message: 'The notebook was deleted.' });
        return { deleted: true, session_id: this.sessionId, name: this.body.name, path: this.path };
      case 'deleteNotebookByPath':
        return { deleted: true, path: ROUTES.deleteNotebookByPath.body.parse(body).path };
      case 'renameNotebook': {
        const { name: wanted } = ROUTES.renameNotebook.body.parse(body);
        this.body = { ...this.body, name: wanted };
        return { notebook_id: this.body.id, name: wanted };
      }
      case 'addCell': {
        const { after_cell_id, language } = ROUTES.addCell.body.parse(body);
        let nth = this.body.cells.length;
        const isUsed = (): boolean =>
          this.#deleted.has(`new${nth}`) || this.body.cells.some((one) => one.id === `new${nth}`);
        while (isUsed()) nth += 1;
        const cell = fakeCell({ id: `new${nth}`, language });
        const cells = [...this.body.cells];
        const at = cells.findIndex((one) => one.id === after_cell_id);
        cells.splice(at === -1 ? cells.length : at + 1, 0, cell);
        this.body = { ...this.body, cells };
        this.broadcastState();
        return cell;
      }
      case 'editCell': {
        const { source } = ROUTES.editCell.body.parse(body);
        this.setCell(id, { source });
        this.broadcastState();
        return { cell: this.cell(id), dag: this.#dagBody(), cells: this.body.cells };
      }
      case 'deleteCell':
        this.#deleted.set(id, { cell: this.cell(id), at: this.body.cells.indexOf(this.cell(id)) });
        this.body = { ...this.body, cells: this.body.cells.filter((cell) => cell.id !== id) };
        this.broadcastState();
        return {
          message: 'deleted',
          cell_id: id,
          variant_groups: [],
          cells: this.body.cells,
          dag: this.#dagBody(),
        };
      case 'restoreCell': {
        const kept = this.#deleted.get(id);
        if (kept === undefined) return refuse(response, 404, 'Cell not found');
        this.#deleted.delete(id);
        const cells = [...this.body.cells];
        cells.splice(kept.at, 0, kept.cell);
        this.body = { ...this.body, cells };
        this.broadcastState();
        return { message: 'restored', cell_id: id, variant_groups: [], cells, dag: this.#dagBody() };
      }
      case 'reorderCells': {
        const { cell_ids } = ROUTES.reorderCells.body.parse(body);
        this.body = { ...this.body, cells: cell_ids.map((one) => this.cell(one)) };
        this.broadcastState();
        return { notebook_id: this.body.id, cells: this.body.cells };
      }
      case 'listFiles':
        return { files: this.files, truncated: false };
      case 'cellResults':
        return { cell_id: id, results: this.results.get(id) ?? [] };
      case 'cellData':
        this.dataQueries.push(url.search);
        return pageOf(this.tables, id, url);
      case 'cellSummary':
        return summaryOf(this.tables, id, url);
      case 'explainCell':
        return (
          this.explanations.get(id) ?? {
            cell_id: id,
            status: this.cell(id).status,
            verdict: this.cell(id).status === 'ready' ? 'fresh' : 'never_run',
            headline: 'This cell has not run yet.',
            inputs: [],
            last_run: null,
          }
        );
      case 'cellLog': {
        const { console_stdout, console_stderr } = this.cell(id);
        const text = url.searchParams.get('stream') === 'stderr' ? console_stderr : console_stdout;
        response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
        return undefined;
      }
      case 'serverLog':
        return { lines: this.logLines };
      case 'cellExport': {
        const file = exportOf(this.tables, id, url);
        if (file === null) return refuse(response, 400, 'This result is not a table that can be exported.');
        this.exportQueries.push(url.search);
        response.writeHead(200, { 'content-type': file.type });
        response.write(file.first);
        // The rest comes when the test says so: an export in progress can be seen and stopped.
        void this.exportGate.then(() => response.end(file.rest));
        return undefined;
      }
      case 'listExamples':
        return { examples: [] };
      case 'openExample':
        return { path: `/home/me/notebooks/${params['name']}` };
      case 'outputBlob': {
        const blob = this.blobs.get(`${id}/${params['index']}`);
        if (blob === undefined) return refuse(response, 404, 'no such output');
        response.writeHead(200, { 'content-type': blob.type }).end(blob.bytes);
        return undefined;
      }
      default:
        return refuse(response, 404, `the fake server does not answer ${name}`);
    }
  }
}

function dagCellOf(cell: Cell, source: string | null): DagCell {
  return {
    id: cell.id,
    source,
    defines: cell.defines,
    references: cell.references,
    upstream_ids: cell.upstream_ids,
    downstream_ids: cell.downstream_ids,
    is_leaf: cell.is_leaf,
    annotation_diagnostics: cell.annotation_diagnostics,
    variant_group: null,
    variant_name: null,
    variant_active: true,
    is_module_cell: false,
    module_exports: [],
    created_by: null,
    updated_by: null,
  };
}

function matchRoute(
  method: string,
  pathname: string,
): { name: RouteName; params: Record<string, string> } | null {
  // Fixed paths before ones with parameters: `cells/reorder` is not a cell.
  const names = (Object.keys(ROUTES) as RouteName[]).sort(
    (a, b) => ROUTES[a].path.split('{').length - ROUTES[b].path.split('{').length,
  );
  for (const name of names) {
    const { method: wanted, path } = ROUTES[name];
    const keys = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    const match = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
    if (wanted !== method || match === null) continue;
    return {
      name,
      params: Object.fromEntries(keys.map((key, at) => [key, decodeURIComponent(match[at + 1] ?? '')])),
    };
  }
  return null;
}

function refuse(response: ServerResponse, status: number, detail: unknown): undefined {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }));
  return undefined;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}
