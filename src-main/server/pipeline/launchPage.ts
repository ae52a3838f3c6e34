/** Answers a browser that opens a launch ticket's URL with a cookie that admits it. */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LaunchTickets, TokenCheck } from './launchToken.ts';

/** The answer to a browser that shows a ticket. */
interface LaunchAnswer {
  readonly status: 200 | 401;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a server with launch tickets needs to answer them. */
export interface Launch {
  readonly tickets: LaunchTickets;
  readonly tokenCheck: TokenCheck;
  readonly basePath: string;
  /**
   * A ticket of this server was shown after its use or too late: the user who started the server may need a new one.
   */
  readonly onSpent: () => void;
}

export const TICKET_PARAMETER = 'ticket';

/**
 * The page redirects itself, so that the browser requests the app as a same-site request: a link from another page
 * would not send a SameSite cookie. The ticket is removed from the URL, and the part after `#` stays.
 */
const SCRIPT = 'location.replace(location.pathname + location.hash)';
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cellar</title><p>Opening… <a href="?">Continue</a></p><script>${SCRIPT}</script></html>`;
const SPENT_MESSAGE =
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
  // A browser that already has the cookie (for example, with a URL of its history) needs no new one.
  if (use === 'spent' && !launch.tokenCheck(request)) {
    launch.onSpent();
    return {
      status: 401,
      headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
      body: SPENT_MESSAGE,
    };
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
