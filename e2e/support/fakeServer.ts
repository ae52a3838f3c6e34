/**
 * A scripted server for the renderer's own tests. It speaks the real REST and live protocol: every answer and every
 * frame is parsed by the contracts before it is sent, so the fake cannot drift from them. It computes nothing: the test
 * scripts what a run does.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
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
import type { Comparison } from '../../src-shared/wire/routes/comparison.ts';
import type {
  Explanation,
  ListedFile,
  ListedMount,
  LogLine,
  ResultVersion,
  StorageReport,
  StoredVariable,
} from '../../src-shared/wire/routes/extensions.ts';
import type { RunSample } from '../../src-shared/wire/runSample.ts';
import { ANSWERS, type Asked } from './fakeAnswers.ts';
import { matchRoute, Refusal, readJson, refuse, servePage } from './fakeHttp.ts';
import type { FakeTable } from './fakeTable.ts';

export { PAGE_POLICY, refusal } from './fakeHttp.ts';

type Payload<T extends ClientFrameType> = Extract<ClientFrame, { type: T }>['payload'];
export type Script = { [T in ClientFrameType]?: (payload: Payload<T>, socket: WebSocket) => void };
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

const NOTHING_KEPT: StorageReport = {
  store_bytes: 0,
  max_bytes: 20_000_000_000,
  max_idle_days: 30,
  kept: [],
  copies: [],
  due_bytes: 0,
  spare_bytes: 0,
  last_sweep: null,
};

export class FakeServer {
  body: NotebookBody;
  sessionId = 's1';
  readonly path: string;
  /** What the server does on a client frame; edits and syncs are answered automatically. */
  script: Script = {};
  /** Every client frame received, in order. */
  readonly received: ClientFrame[] = [];
  /** Requests of the data route, as query strings. */
  readonly dataQueries: string[] = [];
  /** Requests of the distribution route, as query strings. */
  readonly distributionQueries: string[] = [];
  distributionGate: Promise<void> = Promise.resolve();
  /** Requests of the export route, as query strings. */
  readonly exportQueries: string[] = [];
  exportGate: Promise<void> = Promise.resolve();
  tables = new Map<string, FakeTable>();
  blobs = new Map<string, BlobAnswer>();
  files: ListedFile[] = [];
  storage: StorageReport = NOTHING_KEPT;
  /** The state of mounts that do not simply exist. */
  seenMounts: Record<string, Partial<ListedMount>> = {};
  explanations = new Map<string, Explanation>();
  logLines: LogLine[] = [];
  /** The stored results of each cell, newest first. */
  results = new Map<string, readonly ResultVersion[]>();
  runs = new Map<string, readonly RunSample[]>();
  /** The answers to comparisons of two results, by query. */
  comparisons = new Map<string, Comparison>();
  variables: StoredVariable[] = [];
  /** Whether upgrades are answered with 403, as for a session that has ended. */
  refuseUpgrades = false;
  /**
   * Answers by route name: a body, or a function of the call. They take precedence over the fake's defaults; `refusal`
   * makes an error, and a `bytes` route takes a Buffer, text or a stream.
   */
  answers: FakeAnswers = {};
  /** Routes that answer only once the promise has settled, to test what the page shows until then. */
  gates: { [N in RouteName]?: Promise<void> } = {};
  /** Whether every REST request is cut off, as if the server were down. */
  isDown = false;
  /** Every REST request, in order. */
  readonly requests: FakeCall[] = [];
  openRefusal: { status: number; detail: unknown } | null = null;
  /** Deleted cells, for restoring them. */
  readonly deleted = new Map<string, { readonly cell: Cell; readonly at: number }>();
  #seq = 0;
  readonly #sockets = new Set<WebSocket>();
  readonly #http = createServer((request, response) => void this.#serve(request, response));
  readonly #live = new WebSocketServer({ noServer: true });

  constructor(body: NotebookBody, path = '/home/me/notebooks/bike-trips') {
    this.body = body;
    this.path = path;
    // Connections stay open, because fetch in Node does not retry when a connection is closed as it is used again.
    this.#http.keepAliveTimeout = 0;
    this.#http.on('upgrade', (request, socket, head) => {
      const sid = /^\/v1\/notebooks\/ws\/([^/?]+)/.exec(request.url ?? '')?.[1];
      if (this.refuseUpgrades || sid !== this.sessionId) {
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      this.#live.handleUpgrade(request, socket, head, (client) => this.#join(client));
    });
  }

  /** Listens on a free loopback port, or the given one, and returns the origin. */
  async start(port = 0): Promise<string> {
    const listening = once(this.#http, 'listening');
    this.#http.listen(port, '127.0.0.1');
    await listening;
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens on this port, or on another one if it is in use. */
  async startAt(port: number): Promise<string> {
    return this.start(port).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return this.start(0);
    });
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port; // the address of a listening TCP server
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

  /** Sends one frame to every client, with the next seq. */
  send<T extends ServerFrameType>(type: T, payload: ServerPayload<T>, only?: WebSocket): void {
    const parsed = SERVER_FRAMES[type].payload.parse(payload);
    this.#seq += 1;
    const text = JSON.stringify({ type, seq: this.#seq, ts: new Date().toISOString(), payload: parsed });
    for (const socket of only === undefined ? this.#sockets : [only]) socket.send(text);
  }

  /** Skips a seq, as if a frame was sent to another socket. */
  skipSeq(): void {
    this.#seq += 1;
  }

  cell(id: string): Cell {
    const cell = this.body.cells.find((one) => one.id === id);
    if (cell === undefined) throw new NoSuchCell(`the fake notebook has no cell ${id}`);
    return cell;
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
    } else if (frame.type === 'widget_open') {
      this.send('widget_live', { cell_id: frame.payload.cell_id, live_id: null }, socket);
    } else if (frame.type === 'cell_source_update') this.#edit(frame.payload, socket);
  }

  #edit(payload: { cell_id: string; source: string }, sender: WebSocket): void {
    this.setCell(payload.cell_id, { source: payload.source });
    for (const socket of this.#sockets) {
      const source = socket === sender ? null : payload.source;
      const cells = this.body.cells.map((cell) =>
        dagCellOf(cell, cell.id === payload.cell_id ? source : null),
      );
      const edited = socket === sender ? { edited: payload.cell_id } : {};
      this.send('dag_update', { ...this.#dag(), cells, variant_groups: [], ...edited }, socket);
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

  /** The graph in the form of REST answers. */
  dagBody() {
    return { ...this.#dag(), variant_groups: [] };
  }

  state() {
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
    return servePage(url.pathname, response);
  }

  async #api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (this.isDown) return void request.destroy();
    const match = matchRoute(request.method ?? 'GET', url.pathname);
    if (match === null) return refuse(response, 404, 'Not Found');
    const body: unknown = await readJson(request);
    const { name, params } = match;
    const call: FakeCall = { name, params, query: Object.fromEntries(url.searchParams), body };
    this.requests.push(call);
    await this.gates[name];
    const scripted = this.answers[name];
    const answer =
      scripted === undefined
        ? this.#answer(name, { params, id: params['cell_id'] ?? '', body, url, response })
        : typeof scripted === 'function'
          ? scripted(call)
          : scripted;
    if (answer === undefined) return;
    if (answer instanceof Refusal) return refuse(response, answer.status, answer.detail);
    const schema = ROUTES[name].response;
    if (answer instanceof Readable) return void pipeline(answer, response, () => undefined);
    if (schema === 'bytes') return void response.end(answer);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(schema.parse(answer)));
  }

  /** The body of the answer, or undefined if the response was already written. */
  #answer(name: RouteName, asked: Asked): unknown {
    const answer = ANSWERS[name];
    if (answer === undefined) return refuse(asked.response, 404, `the fake server does not answer ${name}`);
    try {
      return answer(this, asked);
    } catch (error) {
      // A window may ask about a cell while it is deleted.
      if (error instanceof NoSuchCell) return refuse(asked.response, 404, 'Cell not found');
      throw error;
    }
  }
}

class NoSuchCell extends Error {}

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
