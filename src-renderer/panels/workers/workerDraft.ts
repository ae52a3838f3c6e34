/** What a user has entered to attach a worker: validation, and conversion to the request and to the relay's command. */

import { WORKER_WORDS } from '../../words/workers.ts';

/** How a worker is reached. */
export type TransportKind = 'address' | 'relay' | 'ssh';

/** What was entered to attach a worker, for all ways together: changing the way loses nothing. */
export interface WorkerDraft {
  readonly way: TransportKind;
  readonly name: string;
  /** The worker's URL, if the server reaches it directly. */
  readonly url: string;
  /** The relay's URL, if the worker is reached by a relay. */
  readonly relay: string;
  readonly connectToken: string;
  readonly token: string;
  /** The destination passed to `ssh`, if the worker is installed over SSH. */
  readonly target: string;
  /** `direct`: cells are sent to it with their values. `signed`: it downloads them by signed URLs. */
  readonly transport: 'direct' | 'signed';
  /** The URL at which a worker that downloads reaches this server; empty for the server's own URL. */
  readonly serverUrl: string;
  /** Whether pickles from it are loaded here. */
  readonly pickles: boolean;
}

/** The part of a draft that says how cells reach the worker. */
export type TransportDraft = Pick<WorkerDraft, 'way' | 'transport' | 'serverUrl'>;

/** The error of each field; null if it is valid. */
interface DraftProblems {
  readonly name: string | null;
  readonly place: string | null;
  readonly token: string | null;
  readonly server: string | null;
}

/** The names that the server accepts. */
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,199}$/;
/** Characters allowed in a header; "…" copied in place of three dots is not. */
const TOKEN = /^[\x20-\x7e]*$/;
const WITH_PASSWORD = /^[a-z]+:\/\/[^/]*@/;
const HTTP = /^https?:\/\/[^/\s]\S*$/;
const WEB = /^(https?|wss?):\/\/[^/\s]/;

export function problemsOf(draft: WorkerDraft, usedNames: readonly string[]): DraftProblems {
  const name = nameOf(draft);
  return {
    name: usedNames.includes(name) ? WORKER_WORDS.nameTaken : NAME.test(name) ? null : WORKER_WORDS.nameWrong,
    place: placeProblem(draft),
    server: serverProblem(draft),
    token: draft.way === 'ssh' || TOKEN.test(tokenOf(draft) ?? '') ? null : WORKER_WORDS.tokenWrong,
  };
}

/** The token without the blanks around it, as the worker reads it; null if there is none. */
export function tokenOf({ token }: WorkerDraft): string | null {
  return token.trim() === '' ? null : token.trim();
}

function placeProblem({ way, url, relay, target }: WorkerDraft): string | null {
  const address = { address: url, relay, ssh: '' }[way].trim();
  // The password would be written to the notebook's file and shown.
  if (WITH_PASSWORD.test(address)) return WORKER_WORDS.urlHasPassword;
  if (way === 'address') return /^https?:\/\/[^/\s]/.test(url.trim()) ? null : WORKER_WORDS.urlWrong;
  if (way === 'relay') return WEB.test(relay.trim()) ? null : WORKER_WORDS.relayWrong;
  return /^[^\s-]\S*$/.test(target.trim()) ? null : WORKER_WORDS.targetWrong;
}

/** The error of the server's URL, if one was entered. */
export function serverProblem(draft: TransportDraft): string | null {
  const { serverUrl } = transportOf(draft);
  if (serverUrl === null) return null;
  // The password would be written to the notebook's file and shown.
  if (WITH_PASSWORD.test(serverUrl)) return WORKER_WORDS.serverHasPassword;
  return HTTP.test(serverUrl) ? null : WORKER_WORDS.serverWrong;
}

/** How cells reach the worker. A worker installed over SSH is always sent its cells. */
export function transportOf({ way, transport, serverUrl }: TransportDraft): {
  readonly transport: 'direct' | 'signed';
  readonly serverUrl: string | null;
} {
  if (way === 'ssh' || transport === 'direct') return { transport: 'direct', serverUrl: null };
  return { transport, serverUrl: serverUrl.trim() === '' ? null : serverUrl.trim() };
}

/** The name of the worker. Without a name, a worker over SSH is named after its machine. */
export function nameOf({ way, name, target }: WorkerDraft): string {
  if (name.trim() !== '' || way !== 'ssh') return name.trim();
  return (
    target
      .trim()
      .replace(/^ssh:\/\//, '')
      .replace(/^.*@/, '')
      .replace(/:\d+$/, '')
      .replace(/[^a-zA-Z0-9._-]+/g, '-')
      .replace(/^[^a-zA-Z0-9]+|-+$/g, '') || ''
  );
}

/** The URL to which the server sends cells; for a relay, the relay's URL for the worker of this name. */
export function urlOf(draft: WorkerDraft): string {
  if (draft.way === 'address') return draft.url.trim();
  return `${relayBase(draft.relay, 'http')}/w/${encodeURIComponent(nameOf(draft))}/v1/execute`;
}

/**
 * The command that makes a machine the worker of this draft; missing values are shown in capitals. The tokens are
 * written to files by a shell builtin, because every user of the machine can see a program's arguments.
 */
export function relayCommand(draft: WorkerDraft): string {
  const name = nameOf(draft);
  const relay = WEB.test(draft.relay.trim()) ? relayBase(draft.relay, 'ws') : 'wss://RELAY';
  const connect = `${relay}/connect/${name === '' ? 'NAME' : encodeURIComponent(name)}`;
  const file = `~/.svc/worker-${NAME.test(name) ? name : 'NAME'}`;
  const fileCommands = [
    'umask 077',
    'mkdir -p ~/.svc',
    `printf %s ${quoted(draft.token, 'TOKEN')} > ${file}.token`,
    `printf %s ${quoted(draft.connectToken, 'CONNECT_TOKEN')} > ${file}.connect-token`,
  ].join(' && ');
  const files = `--token-file ${file}.token --connect-token-file ${file}.connect-token`;
  return `(${fileCommands}) && svc worker --connect ${quoted(connect, '')} ${files}`;
}

/** The base URL of the relay, which serves HTTP requests and WebSockets at one host and port. */
function relayBase(relay: string, kind: 'http' | 'ws'): string {
  const base = relay.trim().replace(/\/+$/, '');
  return kind === 'ws' ? base.replace(/^http/, 'ws') : base.replace(/^ws/, 'http');
}

/** Quotes a text for the shell, so that nothing in it is interpreted. */
function quoted(text: string, missing: string): string {
  if (text === '') return missing;
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A random token of 256 bits. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
