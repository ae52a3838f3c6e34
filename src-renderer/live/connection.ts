/**
 * One live connection to a session. Owns the WebSocket and its retries. It does not interpret frames: it passes on the
 * text it receives and sends objects.
 *
 * States: connecting → live → (lost → connecting)* → closed. `lost` waits 1 s growing to 30 s and never gives up;
 * `online`, focus and visibility end the wait. `closed` is final: `close()` or a finished session.
 * On every (re)connect notebook_sync is the first frame sent (docs/spec/live-protocol.md, 7). A session may have ended
 * together with its server: `find` is called before every attempt (except the first, when the session was opened a
 * moment ago) and when the first is refused.
 */

import type { ClientFrame } from '../../src-shared/wire/frames/client.ts';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import { retryDelayMs } from './backoff.ts';
import { beforeNextPaint } from './nextFrame.ts';
import { readFrame } from './readFrame.ts';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'lost'; readonly retryAtMs: number };

interface ConnectionEvents {
  readonly onFrames: (frames: readonly ReceivedFrame[]) => void;
  readonly onState: (state: ConnectionState) => void;
  /**
   * Whether the session exists; never rejects. `refused`: the last socket closed before it
   * opened. If the notebook is found elsewhere, the owner closes this connection.
   */
  readonly find: (refused: boolean) => Promise<boolean>;
  readonly onUnreadable: (where: string) => void;
}

/** The environment of the connection; tests provide their own. */
export interface ConnectionWorld {
  readonly openSocket: (address: string) => WebSocket;
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Runs `task` after `ms`; returns a function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void;
  /** Calls `wake` when the network or the person comes back; returns a function that unsubscribes. */
  readonly onWake: (wake: () => void) => () => void;
  /** Runs `task` before the next paint, or soon if nothing is painted. */
  readonly soon: (task: () => void) => void;
}

/** The WebSocket's URL, and whether the session was opened a moment ago: then it exists, and no check is needed. */
interface ConnectionTarget {
  readonly address: string;
  readonly justOpened: boolean;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** The close code ("service restart") with which the server asks the client to reconnect immediately. */
const COME_AGAIN = 1012;

export class Connection {
  readonly #address: string;
  readonly #events: ConnectionEvents;
  readonly #world: ConnectionWorld;
  readonly #stopWaking: () => void;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #cancelTimer: () => void = () => undefined;
  #queue: ReceivedFrame[] = [];
  #flushDue = false;
  #closed = false;
  #waiting = false;
  /** The last socket closed before it opened. */
  #refused = false;
  #everAsked = false;

  constructor(target: ConnectionTarget, events: ConnectionEvents, world: ConnectionWorld = browserWorld) {
    this.#address = target.address;
    this.#events = events;
    this.#world = world;
    this.#stopWaking = world.onWake(() => this.retryNow());
    if (target.justOpened) {
      this.#events.onState({ kind: 'connecting' });
      this.#connect();
    } else this.#retry();
  }

  /** Sends immediately and returns true; returns false if there is no open socket. */
  send(frame: ClientFrame): boolean {
    if (this.#socket === null || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** Ends the wait of a lost connection. */
  retryNow(): void {
    if (!this.#closed && this.#waiting) this.#retry();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelTimer();
    this.#stopWaking();
    this.#detach();
  }

  #connect(): void {
    this.#detach();
    const socket = this.#world.openSocket(this.#address);
    this.#socket = socket;
    let wasOpen = false;
    this.#cancelTimer = this.#world.after(CONNECT_TIMEOUT_MS, () => socket.close());
    socket.onopen = () => {
      wasOpen = true;
      this.#cancelTimer();
      this.send({ type: 'notebook_sync', payload: {} });
      this.#events.onState({ kind: 'live' });
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (typeof event.data === 'string') this.#receive(event.data);
    };
    socket.onclose = ({ code }) => {
      if (this.#closed || this.#socket !== socket) return;
      this.#flush();
      // The frames just delivered may have ended the session, and with it this connection.
      if (this.#closed) return;
      this.#socket = null;
      this.#refused = !wasOpen;
      if (wasOpen) this.#attempt = 0;
      // The session was replaced by another one at the same URL: nothing is lost, so there is no wait.
      if (wasOpen && code === COME_AGAIN) return this.#retry();
      // The very first attempt: the stored URL may be outdated, and no connection is lost.
      if (wasOpen || this.#everAsked) this.#waitAndRetry();
      else this.#retry({ again: false });
    };
  }

  /** Checks that the session exists before opening a socket: a refused socket logs an error to the console. */
  #retry({ again } = { again: true }): void {
    this.#cancelTimer();
    this.#waiting = false;
    this.#everAsked = true;
    this.#events.onState({ kind: 'connecting' });
    let late = false;
    this.#cancelTimer = this.#world.after(CONNECT_TIMEOUT_MS, () => {
      late = true;
      this.#waitAndRetry();
    });
    void this.#events.find(this.#refused).then((exists) => {
      if (this.#closed || late) return;
      this.#cancelTimer();
      // If the session exists but refused a socket a moment ago, wait before the next attempt.
      if (exists && again) this.#connect();
      else this.#waitAndRetry();
    });
  }

  #waitAndRetry(): void {
    const delay = retryDelayMs(this.#attempt, this.#world.random());
    this.#attempt += 1;
    this.#waiting = true;
    this.#cancelTimer();
    this.#cancelTimer = this.#world.after(delay, () => this.#retry());
    this.#events.onState({ kind: 'lost', retryAtMs: this.#world.nowMs() + delay });
  }

  #receive(text: string): void {
    const parsedFrame = readFrame(text);
    if (parsedFrame.kind === 'unreadable') this.#events.onUnreadable(parsedFrame.where);
    if (parsedFrame.kind !== 'frame') return;
    this.#queue.push(parsedFrame.frame);
    if (this.#flushDue) return;
    // A source update is answered by one status per cell: such a burst is applied together and painted once.
    this.#flushDue = true;
    this.#world.soon(() => this.#flush());
  }

  #flush(): void {
    this.#flushDue = false;
    if (this.#closed || this.#queue.length === 0) return;
    const frames = this.#queue;
    this.#queue = [];
    this.#events.onFrames(frames);
  }

  #detach(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#queue = [];
    if (socket === null) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }
}

const browserWorld: ConnectionWorld = {
  openSocket: (address) => new WebSocket(address),
  nowMs: () => Date.now(),
  random: () => Math.random(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
  onWake: (wake) => {
    const whenVisible = (): void => {
      if (document.visibilityState === 'visible') wake();
    };
    window.addEventListener('online', wake);
    window.addEventListener('focus', wake);
    document.addEventListener('visibilitychange', whenVisible);
    return () => {
      window.removeEventListener('online', wake);
      window.removeEventListener('focus', wake);
      document.removeEventListener('visibilitychange', whenVisible);
    };
  },
  soon: beforeNextPaint,
};
