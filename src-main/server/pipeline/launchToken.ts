import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LAUNCH_TOKEN_HEADER } from '../../../src-shared/shell/handshake.ts';

/** Answers whether a request carries the launch token of this server; always true where there is none. */
export type TokenCheck = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;

/**
 * The check for a server that was started with a launch token: every HTTP request and every upgrade must carry it in
 * its header, or the cookie that a ticket was exchanged for. Another program or page on this machine gets nothing by
 * knowing the port. `svc serve` has no token unless asked for.
 */
export function createTokenCheck(token: string | null): TokenCheck {
  if (token === null) return () => true;
  const wanted = digest(token);
  const wantedCookie = digest(cookieValue(token));
  return ({ headers, socket }) => {
    const sent = headers[LAUNCH_TOKEN_HEADER];
    // Digests have one length, and comparing them tells nothing about how much was right.
    if (typeof sent === 'string' && timingSafeEqual(digest(sent), wanted)) return true;
    const name = cookieName(socket.localPort ?? 0);
    return cookiesNamed(headers.cookie, name).some((value) => timingSafeEqual(digest(value), wantedCookie));
  };
}

export const TOKEN_REFUSAL =
  'Access denied. This server accepts only the program that started it, and browsers that opened the address it printed.';

/** How long an address with a ticket can be opened. */
const TICKET_MS = 10 * 60_000;
/** Spent tickets that are remembered, to say so. */
const MOST_TICKETS = 100;

/** `unknown`: none of this server's. */
export type TicketUse = 'good' | 'spent' | 'unknown';

/** One-time tickets that a browser exchanges for the cookie of a server with a launch token. */
export class LaunchTickets {
  readonly #token: string;
  readonly #nowMs: () => number;
  /** By digest; null once it was used. In order of issue. */
  readonly #validUntil = new Map<string, number | null>();

  constructor(token: string, nowMs: () => number = () => performance.now()) {
    this.#token = token;
    this.#nowMs = nowMs;
  }

  issue(): string {
    const ticket = randomBytes(32).toString('base64url');
    this.#validUntil.set(keyOf(ticket), this.#nowMs() + TICKET_MS);
    for (const oldest of this.#validUntil.keys()) {
      if (this.#validUntil.size <= MOST_TICKETS) break;
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

  /** The Set-Cookie header of a browser that showed a good ticket on this port. */
  cookie({ port, basePath }: { readonly port: number; readonly basePath: string }): string {
    return `${cookieName(port)}=${cookieValue(this.#token)}; Path=${basePath}/; HttpOnly; SameSite=Strict`;
  }
}

/** Browsers send a cookie to every port of a host: each server has its own. */
function cookieName(port: number): string {
  return `svc_launch_${port}`;
}

/** Not the token itself: who reads a browser's cookies has no token for the header, and nothing to derive it from. */
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
