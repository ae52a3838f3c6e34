import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the stand-in does with the next requests; a function sees each one. */
export type StandInAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** A local server that speaks as much of Infisical as fetching takes, for tests. */
export interface InfisicalStandIn {
  readonly url: string;
  readonly token: string;
  /** Requests that came, oldest first: path and query. */
  readonly asked: string[];
  /** What it answers in place of what it holds; null: what it holds. */
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

/** Takes the request and never answers it. */
export const silence: StandInAnswer = () => undefined;

function answerFrom(standIn: InfisicalStandIn, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', standIn.url);
  const { searchParams } = url;
  const found = standIn.holds.get(`${searchParams.get('environment')} ${searchParams.get('secretPath')}`);
  const isKnown = searchParams.get('workspaceId') === STAND_IN_PROJECT && found !== undefined;
  if (request.headers.authorization !== `Bearer ${standIn.token}`) {
    response.writeHead(401).end('{"message":"Token missing"}');
  } else if (url.pathname !== '/api/v3/secrets/raw' || !isKnown) {
    response.writeHead(404).end('{"message":"Folder not found"}');
  } else {
    const secrets = Object.entries(found).map(([secretKey, secretValue]) => ({ secretKey, secretValue }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ secrets }));
  }
}
