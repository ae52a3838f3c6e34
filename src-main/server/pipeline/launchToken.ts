/**
 * Checks that requests carry the server's launch token or its cookie, and issues one-time tickets that give browsers
 * the cookie.
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LAUNCH_TOKEN_HEADER } from '../../../src-shared/shell/handshake.ts';

/** Whether a request carries the launch token of this server; always true without a token. */
export type TokenCheck = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;

/**
 * The check of a server that was started with a launch token: every HTTP request and every upgrade must carry the token
 * in its header, or the cookie that a ticket was exchanged for. Knowing the port is not enough for other programs and
 * pages on this machine. `svc serve` has no token unless requested.
 */
export function createTokenCheck(token: string | null): TokenCheck {
  if (token === null) return () => true;
  const expected = digest(token);
  const wantedCookie = digest(cookieValue(token));
  return ({ headers, socket }) => {
    const header = headers[LAUNCH_TOKEN_HEADER];
    // Digests have equal lengths, and a constant-time comparison does not reveal how much matched.
    if (typeof header === 'string' && timingSafeEqual(digest(header), expected)) return true;
    const name = cookieName(socket.localPort ?? 0);
    return cookiesNamed(headers.cookie, name).some((value) => timingSafeEqual(digest(value), wantedCookie));
  };
}

export const TOKEN_REFUSAL =
  'Access denied. This server accepts only the program that started it, and browsers that opened the address it printed.';

/** How long a ticket is valid. */
const TICKET_MS = 10 * 60_000;
/** Number of used tickets that are remembered, to say that they were used. */
const MAX_TICKETS = 100;

/** `unknown`: not a ticket of this server. */
type TicketUse = 'good' | 'spent' | 'unknown';

/** One-time tickets that a browser exchanges for the cookie of a server with a launch token. */
export class LaunchTickets {
  readonly #token: string;
  readonly #nowMs: () => number;
  /** By digest; null once used. In order of issue. */
  readonly #validUntil = new Map<string, number | null>();

  constructor(token: string, nowMs: () => number = () => performance.now()) {
    this.#token = token;
    this.#nowMs = nowMs;
  }

  issue(): string {
    const ticket = randomBytes(32).toString('base64url');
    this.#validUntil.set(keyOf(ticket), this.#nowMs() + TICKET_MS);
    for (const oldest of this.#validUntil.keys()) {
      if (this.#validUntil.size <= MAX_TICKETS) break;
      this.#validUntil.delete(oldest);
    }
    return ticket;
  }

  use(ticket: string): TicketUse {
    const key = keyOf(ticket);
    const until = this.#validUntil.get(key);
    if (until === undefined) return 'unknown';
    this.#validUntil.set(key, null);
    return until === null || this.#nowMs() > until ? 'spent' : 'good';
  }

  /** The Set-Cookie header for a browser that showed a valid ticket on this port. */
  cookie({ port, basePath }: { readonly port: number; readonly basePath: string }): string {
    return `${cookieName(port)}=${cookieValue(this.#token)}; Path=${basePath}/; HttpOnly; SameSite=Strict`;
  }
}

/** Browsers send a cookie to every port of a host, so the name contains the port. */
function cookieName(port: number): string {
  return `svc_launch_${port}`;
}

/** Derived from the token: a program that reads a browser's cookies cannot get the token of the header from it. */
function cookieValue(token: string): string {
  return createHmac('sha256', token).update('launch cookie').digest('base64url');
}

function cookiesNamed(header: string | undefined, name: string): readonly string[] {
  return (header ?? '').split(';').flatMap((part) => {
    const [key = '', value = ''] = part.trim().split('=', 2);
    return key === name ? [value] : [];
  });
}

function keyOf(ticket: string): string {
  return digest(ticket).toString('base64');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
