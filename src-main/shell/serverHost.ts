/** Starts, restarts and stops the server process of the desktop app. */

import { readServerMessage, type ServerToShell } from '../../src-shared/shell/handshake.ts';
import { createHelpers, type StartHelper } from './helpers.ts';
import type { ServerLink, StartLink } from './serverLink.ts';

/** The events about the server for the windows. */
export type HostEvent =
  | { readonly type: 'up'; readonly port: number }
  /** The server ended unexpectedly; another start follows. */
  | { readonly type: 'down' }
  /** The server created a notebook in this folder. */
  | { readonly type: 'made'; readonly path: string }
  /** The server deleted the notebook of this folder. */
  | { readonly type: 'removed'; readonly path: string }
  /** Too many starts failed; the user decides about `retry`. */
  | { readonly type: 'gave_up'; readonly message: string };

interface HostOptions {
  readonly startLink: StartLink;
  /** How to start helper processes of the server; absent: it starts its own. */
  readonly startHelper?: StartHelper;
  readonly token: string;
  /** The folders granted so far; read at every start. */
  readonly roots: () => readonly string[];
  /** The folders trusted so far; read at every start. */
  readonly trusted: () => readonly string[];
  readonly resources: string | null;
  /** Keys of the server, which it gets through the channel and not the environment. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The preferred port; 0 for any. */
  readonly port: number;
  readonly onEvent: (event: HostEvent) => void;
  /** Calls `act` after `ms`; injected by tests. */
  readonly later?: (ms: number, act: () => void) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** The app's server process: started, restarted, informed of the folders that the user opened, stopped. */
export interface ServerHost {
  start(): void;
  /** Starts again after `gave_up`. */
  retry(): void;
  /**
   * Lets the server open a folder. Resolves once the server has the message; a server that is down gets it with its
   * next start.
   */
  grant(root: string): Promise<void>;
  /** Lets the server run code in a folder. Resolves as `grant` does. */
  trust(root: string): Promise<void>;
  /** Proxies for external hosts; sent to this server and to every later one. */
  network(variables: Readonly<Record<string, string>>): void;
  /** Names of notebooks in which something runs; empty when the server does not answer. */
  running(): Promise<readonly string[]>;
  /** Asks it to end, and kills it after the timeout. */
  stop(): Promise<void>;
  /** The pid of the current process, for tests and messages. */
  pid(): number | null;
}

/** Delays before the second, third, … start; after a longer life than the last delay the sequence starts again. */
const BACKOFF_MS = [100, 500, 1_000, 3_000, 10_000];
const STEADY_MS = 30_000;
const ANSWER_MS = 2_000;
const STOP_MS = 10_000;

/**
 * Keeps one server alive. After a crash it requests the previous port, so that the windows reconnect by
 * themselves.
 */
export function createServerHost(options: HostOptions): ServerHost {
  const later = options.later ?? ((ms, act) => void setTimeout(act, ms));
  const now = options.now ?? (() => performance.now());
  const pending = new Map<number, (message: ServerToShell) => void>();
  let link: ServerLink | null = null;
  let { port } = options;
  let lastId = 0;
  let failures = 0;
  let stopping = false;
  let lastWords = '';
  let variables: Readonly<Record<string, string>> = {};

  function start(): void {
    const startedAt = now();
    const mine = options.startLink();
    link = mine;
    const helpers = createHelpers(options.startHelper ?? null, (message) => {
      if (link === mine) mine.send(message);
    });
    mine.onMessage((data) => {
      if (link !== mine) return;
      const message = readServerMessage(data);
      switch (message?.type) {
        case 'helper_start':
        case 'helper_say':
        case 'helper_end':
          helpers.heard(message);
          return;
        default:
          heard(message);
      }
    });
    mine.onExit(() => {
      helpers.endAll();
      if (link !== mine) return;
      link = null;
      for (const [id, answer] of pending) answer({ type: 'granted', id });
      pending.clear();
      if (!stopping) again(now() - startedAt);
    });
    const { token, resources, secrets } = options;
    mine.send({
      type: 'start',
      token,
      roots: options.roots(),
      trusted: options.trusted(),
      port,
      resources,
      ...(secrets === undefined ? {} : { secrets }),
    });
    if (Object.keys(variables).length > 0) mine.send({ type: 'network', variables });
  }

  function heard(message: ServerToShell | null): void {
    switch (message?.type) {
      case 'listening':
        port = message.port;
        options.onEvent({ type: 'up', port });
        return;
      case 'made':
      case 'removed':
        options.onEvent(message);
        return;
      case 'failed':
        lastWords = message.message;
        // The previous port may be in use; another one will do, and the windows are informed.
        port = 0;
        link?.kill();
        return;
      case 'granted':
      case 'running':
        pending.get(message.id)?.(message);
        pending.delete(message.id);
    }
  }

  function again(livedMs: number): void {
    if (livedMs > STEADY_MS) failures = 0;
    const wait = BACKOFF_MS[failures];
    failures += 1;
    if (wait === undefined) {
      const message = lastWords || 'It stopped right after each start.';
      options.onEvent({ type: 'gave_up', message });
      return;
    }
    options.onEvent({ type: 'down' });
    later(wait, () => {
      if (!stopping && link === null) start();
    });
  }

  /** The reply to one message, or null when the server is down or silent. */
  function ask(make: (id: number) => Parameters<ServerLink['send']>[0]): Promise<ServerToShell | null> {
    const to = link;
    // A starting server reads it once it has started: the channel keeps the order.
    if (to === null) return Promise.resolve(null);
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      pending.set(id, resolve);
      later(ANSWER_MS, () => {
        if (pending.delete(id)) resolve(null);
      });
      to.send(make(id));
    });
  }

  return {
    start,
    retry() {
      failures = 0;
      if (link === null) start();
    },
    async grant(root) {
      await ask((id) => ({ type: 'grant', id, root }));
    },
    async trust(root) {
      await ask((id) => ({ type: 'trust', id, root }));
    },
    network(proxies) {
      if (JSON.stringify(proxies) === JSON.stringify(variables)) return;
      variables = proxies;
      link?.send({ type: 'network', variables });
    },
    async running() {
      const answer = await ask((id) => ({ type: 'ask_running', id }));
      return answer?.type === 'running' ? answer.names : [];
    },
    stop() {
      stopping = true;
      const last = link;
      if (last === null) return Promise.resolve();
      return new Promise((resolve) => {
        last.onExit(() => resolve());
        later(STOP_MS, () => last.kill());
        last.send({ type: 'stop' });
      });
    },
    pid: () => link?.pid ?? null,
  };
}
