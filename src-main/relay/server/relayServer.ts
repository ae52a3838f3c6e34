/** The relay's HTTP server: workers connect to it by WebSocket, and callers send requests that it forwards to them. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  MAX_MESSAGE_BYTES,
  RELAY_FLOW_HEADER,
  RELAY_SUBPROTOCOL,
} from '../../../src-shared/wire/worker/relay.ts';
import type { Logger } from '../../observe/log.ts';
import { answerDetail } from './answerDetail.ts';
import { RelayMetrics } from './metrics.ts';
import { MAX_HEADER_BYTES, type RelayLimits } from './relayLimits.ts';
import { admitWorker, type RelayWorkers } from './relayWorkers.ts';
import { type RelayRoute, routeOf } from './route.ts';
import { SpoolBudget } from './spool.ts';
import { WorkerLink } from './workerLink.ts';

interface RelayServerOptions {
  readonly workers: RelayWorkers;
  readonly limits: RelayLimits;
  readonly log: Logger;
}

/** A listening relay. */
export interface RunningRelay {
  readonly port: number;
  /**
   * Replaces the allowed workers; a connected one that is not among them, or has another token, is
   * disconnected.
   */
  setWorkers(workers: RelayWorkers): void;
  /** Accepts no new calls, lets current ones end within the limit, and stops. */
  drain(): Promise<void>;
  /** Stops at once. */
  close(): Promise<void>;
}

const CONNECT = /^\/connect\/([^/?]+)$/;

/** Starts a relay. @throws Error when the port is in use or the spool folder cannot be created */
export async function startRelay(
  options: RelayServerOptions,
  at: { readonly host: string; readonly port: number },
): Promise<RunningRelay> {
  const spoolFolder = await mkdtemp(join(tmpdir(), 'cellar-relay-'));
  const relay = new RelayServer(options, spoolFolder);
  try {
    await relay.listen(at);
  } catch (error) {
    await rm(spoolFolder, { recursive: true, force: true });
    throw error;
  }
  return relay;
}

/** One relay: HTTP for callers, one WebSocket a worker, and each worker's newest connection. */
class RelayServer implements RunningRelay {
  readonly #options: RelayServerOptions;
  readonly #spoolFolder: string;
  readonly #metrics = new RelayMetrics();
  readonly #http: Server;
  readonly #wss: WebSocketServer;
  readonly #current = new Map<string, WorkerLink>();
  readonly #links = new Set<WorkerLink>();
  readonly #budgets = new Map<string, SpoolBudget>();
  #workers: RelayWorkers;
  #isDraining = false;
  /** Forwarded calls whose reply is not complete. */
  #calls = 0;
  #tellIdle: (() => void) | null = null;

  constructor(options: RelayServerOptions, spoolFolder: string) {
    this.#options = options;
    this.#workers = options.workers;
    this.#spoolFolder = spoolFolder;
    // A large body may take any time; `idleMs` ends one that stalls.
    this.#http = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        requestTimeout: 0,
        // Callers that prefer HTTP/2 send an Upgrade header in an ordinary call.
        shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
      },
      (request, response) => this.#call(request, response),
    );
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#wss = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_MESSAGE_BYTES,
      // Arrow tables and pickles hardly shrink, and shrinking costs more than the network does.
      perMessageDeflate: false,
      handleProtocols: () => RELAY_SUBPROTOCOL,
    });
    this.#wss.on('headers', (headers, request) => {
      if (request.headers[RELAY_FLOW_HEADER] === '1') headers.push(`${RELAY_FLOW_HEADER}: 1`);
    });
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port; // TCP
  }

  listen(at: { readonly host: string; readonly port: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(at, () => {
        this.#http.off('error', reject);
        resolve();
      });
    });
  }

  setWorkers(workers: RelayWorkers): void {
    const before = this.#workers;
    this.#workers = workers;
    for (const link of [...this.#links]) {
      const [was, is] = [before.get(link.name), workers.get(link.name)];
      const isSame = was !== undefined && is?.tokenSha256.equals(was.tokenSha256) === true;
      if (!isSame) link.end(1008, 'this worker is no longer listed, or has another connect token');
    }
  }

  async drain(): Promise<void> {
    const { log, limits } = this.#options;
    this.#isDraining = true;
    const open = this.#calls;
    log.info({ calls: open }, 'draining');
    if (open > 0) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, limits.drainMs);
        this.#tellIdle = () => {
          clearTimeout(late);
          resolve();
        };
      });
    }
    if (this.#calls > 0) log.warn({ calls: this.#calls }, 'calls are cut short');
    await this.close();
  }

  async close(): Promise<void> {
    this.#isDraining = true;
    for (const link of [...this.#links]) link.end(1001, 'this relay is stopping');
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeIdleConnections();
    const cut = setTimeout(() => {
      for (const client of this.#wss.clients) client.terminate();
      this.#http.closeAllConnections();
    }, 1_000);
    await closed;
    clearTimeout(cut);
    for (const client of this.#wss.clients) client.terminate();
    await rm(this.#spoolFolder, { recursive: true, force: true });
  }

  #call(request: IncomingMessage, response: ServerResponse): void {
    response.once('close', () => {
      this.#metrics.count('svc_relay_requests_total', 1, { status: String(response.statusCode) });
    });
    const route = routeOf(request.method ?? 'GET', request.url ?? '/');
    if (route.kind === 'health') this.#health(response);
    else if (route.kind === 'metrics') this.#showMetrics(response);
    else if (route.kind === 'worker') this.#forward(route, request, response);
    else {
      if (route.allow !== '') response.setHeader('Allow', route.allow);
      answerDetail(response, route.status, route.detail);
    }
  }

  #health(response: ServerResponse): void {
    const body = {
      status: this.#isDraining ? 'draining' : 'healthy',
      workers_connected: this.#current.size,
      streams: this.#calls,
    };
    response.writeHead(this.#isDraining ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  #showMetrics(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(
      this.#metrics.text({
        svc_relay_workers_connected: this.#current.size,
        svc_relay_streams: this.#calls,
        svc_relay_spooled_bytes: [...this.#budgets.values()].reduce((sum, budget) => sum + budget.used, 0),
      }),
    );
  }

  #forward(
    route: Extract<RelayRoute, { kind: 'worker' }>,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const { limits } = this.#options;
    const link = this.#current.get(route.name);
    const length = Number(request.headers['content-length'] ?? 0);
    const refuse = (status: number, detail: string) => answerDetail(response, status, detail);
    if (!this.#workers.has(route.name)) refuse(404, 'This relay has no such worker');
    else if (this.#isDraining && !route.isUrgent) refuse(503, 'This relay is stopping');
    else if (link === undefined) refuse(502, `The worker ${route.name} is not connected to this relay`);
    else if (length > limits.maxBodyBytes)
      refuse(413, `This relay forwards bodies of at most ${limits.maxBodyBytes} bytes`);
    else if (link.streams >= limits.maxStreams && !route.isUrgent)
      refuse(503, `The worker ${route.name} has ${link.streams} calls in progress`);
    else {
      this.#calls += 1;
      response.once('close', () => {
        this.#calls -= 1;
        if (this.#isDraining && this.#calls === 0) this.#tellIdle?.();
      });
      link.forward(request, response, route);
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refuse = (status: string, detail: string) => {
      this.#metrics.count('svc_relay_worker_refusals_total', 1, { status: status.slice(0, 3) });
      const body = JSON.stringify({ detail });
      socket.end(
        `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    };
    const [path = ''] = (request.url ?? '').split('?');
    const name = CONNECT.exec(path)?.[1];
    if (name === undefined) {
      refuse('404 Not Found', 'Workers connect at /connect/NAME');
      return;
    }
    const worker = admitWorker(this.#workers, name, request.headers.authorization ?? '');
    if (worker === null) {
      refuse('401 Unauthorized', 'No such worker, or a wrong connect token');
      return;
    }
    const subprotocols = (request.headers['sec-websocket-protocol'] ?? '')
      .split(',')
      .map((part) => part.trim());
    if (!subprotocols.includes(RELAY_SUBPROTOCOL)) {
      refuse('400 Bad Request', `This relay supports only ${RELAY_SUBPROTOCOL}`);
      return;
    }
    if (this.#isDraining) {
      refuse('503 Service Unavailable', 'This relay is stopping');
      return;
    }
    this.#wss.handleUpgrade(request, socket, head, (ws) => {
      this.#admit(worker.name, ws, request.headers[RELAY_FLOW_HEADER] === '1');
    });
  }

  #admit(name: string, socket: WebSocket, reportsReads: boolean): void {
    const { limits, log } = this.#options;
    const budget = this.#budgets.get(name) ?? new SpoolBudget(limits.maxSpoolBytes);
    this.#budgets.set(name, budget);
    const before = this.#current.get(name);
    const link: WorkerLink = new WorkerLink({
      name,
      socket,
      reportsReads,
      limits,
      spoolFolder: this.#spoolFolder,
      budget,
      metrics: this.#metrics,
      closed: (lostCount) => {
        this.#links.delete(link);
        if (this.#current.get(name) === link) this.#current.delete(name);
        if (lostCount > 0) this.#metrics.count('svc_relay_worker_losses_total');
        log.info({ worker: name, lost_calls: lostCount }, 'a worker disconnected');
      },
    });
    this.#links.add(link);
    this.#current.set(name, link);
    this.#metrics.count('svc_relay_worker_connections_total');
    log.info({ worker: name, replaces: before !== undefined }, 'a worker connected');
    before?.leave();
  }
}
