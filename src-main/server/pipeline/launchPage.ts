import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LaunchTickets, TokenCheck } from './launchToken.ts';

/** What a browser that shows a ticket is answered. */
export interface LaunchAnswer {
  readonly status: 200 | 401;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Launch {
  readonly tickets: LaunchTickets;
  readonly tokenCheck: TokenCheck;
  readonly basePath: string;
  /** A ticket of this server was shown after it was used, or too late: whoever started the server may want another. */
  readonly onSpent: () => void;
}

export const TICKET_PARAMETER = 'ticket';

/**
 * The page goes on by itself, so that the browser asks for the app as this page's own request: a link in another page
 * would bring no SameSite cookie. The ticket leaves the address, and what follows `#` stays.
 */
const SCRIPT = 'location.replace(location.pathname + location.hash)';
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cellar</title><p>Opening… <a href="?">Continue</a></p><script>${SCRIPT}</script></html>`;
const SPENT =
  'This link has expired or was already used. Open the new one shown by the program that started the server.';
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** @returns null for a request that shows no ticket of this server */
export function answerTicket(request: IncomingMessage, launch: Launch): LaunchAnswer | null {
  const [path, query = ''] = (request.url ?? '').split('?', 2);
  if (request.method !== 'GET' || path !== '/' || query === '') return null;
  const ticket = new URLSearchParams(query).get(TICKET_PARAMETER);
  if (ticket === null) return null;
  const { tickets, basePath } = launch;
  const use = tickets.use(ticket);
  if (use === 'unknown') return null;
  // Who has the cookie already (the address in the history of a browser) needs no other.
  if (use === 'spent' && !launch.tokenCheck(request)) {
    launch.onSpent();
    return { status: 401, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }, body: SPENT };
  }
  return {
    status: 200,
    headers: {
      ...HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'`,
      ...(use === 'good'
        ? { 'Set-Cookie': tickets.cookie({ port: request.socket.localPort ?? 0, basePath }) }
        : {}),
    },
    body: PAGE,
  };
}
