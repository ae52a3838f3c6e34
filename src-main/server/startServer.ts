/** Starts the HTTP server: its routes, live sockets, MCP endpoint and web app, on one port. */

import type { Server } from 'node:http';
import { join } from 'node:path';
import { AppError } from '../../src-shared/wire/errors.ts';
import { createAssistants } from '../agent/assistants.ts';
import { ConfigError } from '../config/configError.ts';
import type { PeerUsers } from '../lib/peerUser.ts';
import { NOTHING_HIDDEN } from '../lib/redactor.ts';
import { NO_TRACING } from '../observe/tracing.ts';
import { createTerminals } from '../terminal/terminals.ts';
import { serveApiDocs } from './apiDocs.ts';
import type { App } from './app.ts';
import { PERSONAL_CALLER } from './caller.ts';
import { createHttp } from './createHttp.ts';
import { implementRoutes, type RouteGate } from './implementRoutes.ts';
import { listen } from './listen.ts';
import { createAskConsole } from './live/askConsole.ts';
import { LiveServer } from './live/liveServer.ts';
import { createMcpCaller } from './mcpCaller.ts';
import { createMcpSwitch } from './mcpSwitch.ts';
import { createHostCheck } from './pipeline/hostCheck.ts';
import { TICKET_PARAMETER } from './pipeline/launchPage.ts';
import { createTokenCheck, LaunchTickets } from './pipeline/launchToken.ts';
import { acceptAnyPeer, createPeerCheck, type PeerCheck } from './pipeline/peerCheck.ts';
import { traceRequests } from './pipeline/traceRequests.ts';
import { servePublications } from './publication/servePublications.ts';
import { agentHandlers } from './routes/agents.ts';
import { aiHandlers } from './routes/ai.ts';
import { catalogHandlers } from './routes/artifactCatalog.ts';
import { artifactHandlers } from './routes/artifacts.ts';
import { cacheHandlers } from './routes/cache.ts';
import { cellHandlers } from './routes/cells.ts';
import { tableHandlers } from './routes/cellTable.ts';
import { connectionHandlers } from './routes/connections.ts';
import { dataPlaneHandlers } from './routes/dataPlane.ts';
import { environmentHandlers } from './routes/environment.ts';
import { environmentExtensionHandlers } from './routes/environmentExtensions.ts';
import { extensionHandlers } from './routes/extensions.ts';
import { historyHandlers } from './routes/history.ts';
import { holdHandlers } from './routes/holds.ts';
import { languageHandlers } from './routes/language.ts';
import { notebookHandlers } from './routes/notebooks.ts';
import { promotionHandlers } from './routes/promotion.ts';
import { publicationHandlers } from './routes/publications.ts';
import { registryHandlers } from './routes/registry.ts';
import { secretHandlers } from './routes/secrets.ts';
import { serverWorkerHandlers } from './routes/serverWorkers.ts';
import { serviceHandlers } from './routes/service.ts';
import { snippetHandlers } from './routes/snippets.ts';
import { sshWorkerHandlers } from './routes/sshWorkers.ts';
import { tableCatalogHandlers } from './routes/tableCatalogs.ts';
import { terminalHandlers } from './routes/terminals.ts';
import { transferHandlers } from './routes/transfer.ts';
import { variantHandlers } from './routes/variants.ts';
import { workerHandlers } from './routes/workers.ts';
import { serveArtifactUploads } from './serveArtifactUploads.ts';
import { serveBuilds } from './serveBuilds.ts';
import { serveMcp } from './serveMcp.ts';
import { serveNotYet } from './serveNotYet.ts';
import { createSnippetFile } from './snippetFile.ts';
import { serveWebApp } from './webApp.ts';

/** How a server is started, beyond its configuration. */
export interface StartOptions {
  /** Default: the port of the configuration; 0 lets the system choose. */
  readonly port?: number;
  /** What to do if the port is in use. Default `fail`. */
  readonly whenBusy?: 'fail' | 'next';
  /** How long running requests may take once the server closes. Default 5 s. */
  readonly drainMs?: number;
  /** How long a request body may make no progress. Default: one minute. */
  readonly bodyStallMs?: number;
  /** Every request must carry it in its header. Default: none, as in the specification's personal mode. */
  readonly launchToken?: string;
  /** Enables one-time tickets for browsers. Called with the URL of a new ticket when a used one was opened. */
  readonly onTicketSpent?: (url: string) => void;
  /**
   * Looks up the user of each connection from this machine; only this user and root are answered. `all`: everyone is.
   */
  readonly peers?: PeerUsers | 'all';
}

/** A server that listens, until it is closed. */
export interface RunningServer {
  readonly port: number;
  /** The URL of the web app, with the public base path. */
  readonly url: string;
  /** A URL that opens the web app in one browser, once and for a limited time; `url` if there are no tickets. */
  readonly ticketUrl: () => string;
  /**
   * Accepts no new work (503), lets running requests finish up to a limit, ends the sessions (which cancels their runs
   * and notifies every socket), then frees the port. Idempotent.
   */
  close(): Promise<void>;
}

const DRAIN_MS = 5_000;

/**
 * Starts the server. Sessions, tables and the log belong to the caller; `close` shuts the sessions down.
 * @throws ConfigError for a deployment that this build cannot serve safely, and if the port is in use or the host is
 * not local
 */
export async function startServer(app: App, options: StartOptions = {}): Promise<RunningServer> {
  const { config, sessions } = app;
  if (config.deploymentMode === 'service') {
    // Callers must be authenticated, which is not implemented: serving would leave every route open.
    throw new ConfigError('Service mode cannot be served by this version: it has no authentication yet.');
  }
  let draining = false;
  const isDraining = () => draining;
  const refuseWhenDraining = () => {
    if (draining) throw new AppError('draining', 'Server is shutting down. Not accepting new requests.');
  };
  const hostCheck = createHostCheck(config);
  const tokenCheck = createTokenCheck(options.launchToken ?? null);
  const basePath = config.publicBasePath;
  const { launchToken = null, onTicketSpent, peers = 'all' } = options;
  const tickets = launchToken === null || onTicketSpent === undefined ? null : new LaunchTickets(launchToken);
  let url = '';
  const ticketUrl = () => (tickets === null ? url : `${url}?${TICKET_PARAMETER}=${tickets.issue()}`);
  let peerCheck: PeerCheck = acceptAnyPeer;
  const http = createHttp(app, {
    hostCheck,
    tokenCheck,
    cellClients: app.cellClients,
    peerCheck: (server) => {
      if (peers !== 'all') peerCheck = createPeerCheck(peers, server);
      return peerCheck;
    },
    isOpen: launchToken === null || tickets !== null,
    launch:
      tickets === null
        ? null
        : { tickets, tokenCheck, basePath, onSpent: () => onTicketSpent?.(ticketUrl()) },
    ...(options.bodyStallMs === undefined ? {} : { bodyStallMs: options.bodyStallMs }),
  });
  if (app.tracing !== NO_TRACING) traceRequests(http, app.tracing);
  const assistants = createAssistants({ tables: app.tables, log: app.log });
  const terminals = createTerminals({ env: process.env });
  const context = { ...app, refuseWhenDraining, assistants, terminals };
  const mcpSwitch = createMcpSwitch(
    config.artifactDir === null ? null : join(config.artifactDir, 'mcp.json'),
    { isConfigured: config.mcpEnabled, log: app.log },
  );
  const handlers = {
    ...serviceHandlers(app),
    ...registryHandlers(app),
    ...artifactHandlers(app),
    ...catalogHandlers(app),
    ...publicationHandlers(app),
    ...dataPlaneHandlers(context),
    ...cacheHandlers(context),
    ...promotionHandlers(app),
    ...notebookHandlers(context),
    ...transferHandlers(context),
    ...holdHandlers(context),
    ...cellHandlers(context),
    ...variantHandlers(context),
    ...secretHandlers(context),
    ...environmentHandlers(context),
    ...environmentExtensionHandlers(context),
    ...aiHandlers(context),
    ...agentHandlers({ mcpSwitch, baseUrl: () => url, needsToken: launchToken !== null }),
    ...snippetHandlers(createSnippetFile(join(config.notebookStorageDir, 'snippets.toml'))),
    ...connectionHandlers(context),
    ...workerHandlers(context),
    ...sshWorkerHandlers(context),
    ...serverWorkerHandlers(context),
    ...extensionHandlers(context),
    ...tableHandlers(context),
    ...tableCatalogHandlers(context),
    ...historyHandlers(context),
    ...languageHandlers(context),
    ...terminalHandlers(context),
  };
  const identify = () => PERSONAL_CALLER;
  const gate: RouteGate = {
    personal: true,
    uploadDir: config.notebookStorageDir,
    identify,
    redactorOf: (sid) => sessions.find(sid)?.views.notebook.redactor() ?? NOTHING_HIDDEN,
    onUse: (sid) => sessions.find(sid)?.lifetime.touch(),
  };
  implementRoutes(http, handlers, gate);
  const { registry } = app;
  const mcp = serveMcp(http, {
    mcpSwitch,
    basePath,
    sessions,
    version: app.version,
    log: app.log,
    registry,
    refuseWhenDraining,
    evaluate: createAskConsole((sid, socketId, receiver) => live.listen(sid, socketId, receiver)),
    callerOf: () => createMcpCaller(identify(), { handlers, gate, log: app.log }),
  });
  serveBuilds(http, app.builds, { identify, dataPlane: app.dataPlane });
  serveArtifactUploads(http, { registry, identify, maxUploadBytes: config.maxUploadBytes });
  servePublications(http, { registry, tables: app.tables, basePath });
  serveNotYet(http);
  serveApiDocs(http, { version: app.version, basePath });
  serveWebApp(http, { dir: app.rendererDir, basePath });
  const inFlight = countRequests(http.server);
  const live = new LiveServer({
    sessions,
    hostCheck,
    tokenCheck,
    peerCheck,
    corsAllowOrigins: config.corsAllowOrigins,
    basePath,
    isDraining,
    assistants,
    terminals,
    log: app.log,
  });
  http.server.on('upgrade', live.upgrade);
  await http.ready();
  const port = await listen(http.server, {
    host: config.host,
    port: options.port ?? config.port,
    whenBusy: options.whenBusy ?? 'fail',
  });
  url = `http://${urlHost(config.host)}:${port}${basePath}/`;
  app.builds.setAddress(url);
  app.cellClients.setAddress(url);
  app.log.info({ url }, 'listening');

  const shutDown = async (): Promise<void> => {
    draining = true;
    const released = new Promise<void>((resolve) => http.server.close(() => resolve()));
    http.server.closeIdleConnections();
    mcp.endStreams();
    await Promise.all([
      inFlight.settled(options.drainMs ?? DRAIN_MS),
      assistants.close(),
      terminals.closeAll(),
    ]);
    await sessions.shutdown();
    await live.close();
    await mcp.close();
    await inFlight.settled(CLOSING_MS);
    http.server.closeAllConnections();
    await released;
    await http.close();
    app.log.info('stopped');
  };
  let closing: Promise<void> | null = null;
  return {
    port,
    url,
    ticketUrl,
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}

/** Once the sessions have ended, only the answers of cancelled runs remain to be written. */
const CLOSING_MS = 500;

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Requests whose answer is not complete. */
function countRequests(server: Server): { settled(limitMs: number): Promise<void> } {
  let count = 0;
  const waiting = new Set<() => void>();
  server.prependListener('request', (_request, response) => {
    count += 1;
    response.once('close', () => {
      count -= 1;
      if (count > 0) return;
      for (const wake of waiting) wake();
      waiting.clear();
    });
  });
  return {
    settled: (limitMs) =>
      new Promise((resolve) => {
        if (count === 0) return resolve();
        const limit = setTimeout(resolve, limitMs);
        waiting.add(() => {
          clearTimeout(limit);
          resolve();
        });
      }),
  };
}
