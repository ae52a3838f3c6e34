/** A fake of the secret manager Infisical on loopback, for tests. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** How the fake server handles the next requests; a function gets each one. */
type StandInAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** A local fake of the parts of Infisical that fetching needs, for tests. */
export interface InfisicalStandIn {
  readonly url: string;
  readonly token: string;
  /**
   * A machine identity it accepts; it returns `token` for it, which claims to be valid for `expiresIn`
   * seconds.
   */
  readonly identity: { readonly clientId: string; readonly clientSecret: string };
  expiresIn: number;
  /** Requests so far, oldest first: path and query. */
  readonly asked: string[];
  /** The reply that replaces its content; null: its content. */
  answer: StandInAnswer | null;
  /** `environment path` -> name -> value. */
  readonly holds: Map<string, Record<string, string>>;
  close(): Promise<void>;
}

export const STAND_IN_PROJECT = 'project-1';

export async function startInfisicalStandIn(
  holds: Readonly<Record<string, Record<string, string>>>,
): Promise<InfisicalStandIn> {
  const server = createServer((request, response) => {
    standIn.asked.push(request.url ?? '');
    if (standIn.answer !== null) standIn.answer(request, response);
    else answerFrom(standIn, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const standIn: InfisicalStandIn = {
    url: `http://127.0.0.1:${port}`,
    token: 'st.stand-in.0123456789abcdef',
    identity: { clientId: 'identity-1', clientSecret: 'hush-of-the-identity' },
    expiresIn: 7200,
    asked: [],
    answer: null,
    holds: new Map(Object.entries(holds)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return standIn;
}

/** A fixed answer. */
export function answering(status: number, body = '{}', headers: Record<string, string> = {}): StandInAnswer {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Accepts the request and never replies. */
export const silence: StandInAnswer = () => undefined;

async function answerLogin(
  standIn: InfisicalStandIn,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  const { clientId, clientSecret, ...more } = JSON.parse(text);
  const { identity, token: accessToken, expiresIn } = standIn;
  const isKnown = clientId === identity.clientId && clientSecret === identity.clientSecret;
  if (!isKnown || Object.keys(more).length > 0) {
    response.writeHead(401).end(`{"message":"Invalid credentials for ${clientId}"}`);
    return;
  }
  const body = { accessToken, expiresIn, accessTokenMaxTTL: 43244, tokenType: 'Bearer' };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function answerFrom(standIn: InfisicalStandIn, request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'POST' && request.url === '/api/v1/auth/universal-auth/login') {
    void answerLogin(standIn, request, response);
    return;
  }
  const url = new URL(request.url ?? '', standIn.url);
  const { searchParams } = url;
  const values = standIn.holds.get(`${searchParams.get('environment')} ${searchParams.get('secretPath')}`);
  const isKnown = searchParams.get('workspaceId') === STAND_IN_PROJECT && values !== undefined;
  if (request.headers.authorization !== `Bearer ${standIn.token}`) {
    response.writeHead(401).end('{"message":"Token missing"}');
  } else if (url.pathname !== '/api/v3/secrets/raw' || !isKnown) {
    response.writeHead(404).end('{"message":"Folder not found"}');
  } else {
    const secrets = Object.entries(values).map(([secretKey, secretValue]) => ({ secretKey, secretValue }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ secrets }));
  }
}
