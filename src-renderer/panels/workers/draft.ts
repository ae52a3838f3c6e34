/** Fields of a worker while it is edited. */

import { WORKER_WORDS } from '../../words/workers.ts';

/** How a worker is reached. */
export type TransportKind = 'address' | 'relay' | 'ssh';

/** What a person has entered to attach a worker, for every way at once: changing the way loses nothing. */
export interface WorkerDraft {
  readonly way: TransportKind;
  readonly name: string;
  /** By address: the worker's own. */
  readonly url: string;
  /** By relay: the relay's. */
  readonly relay: string;
  readonly connectToken: string;
  readonly token: string;
  /** By ssh: the destination passed to `ssh`. */
  readonly target: string;
  /** Whether it is sent its cells with their values, or fetches them by signed addresses. */
  readonly transport: 'direct' | 'signed';
  /** Where a worker that fetches reaches this server; empty: at the server's own address. */
  readonly serverUrl: string;
  /** Whether values that run code when they are loaded are taken from it. */
  readonly pickles: boolean;
}

/** The part of a draft that says how cells reach the worker. */
export type TransportDraft = Pick<WorkerDraft, 'way' | 'transport' | 'serverUrl'>;

/** What is wrong with a draft, field by field; null where nothing is. */
interface DraftProblems {
  readonly name: string | null;
  readonly place: string | null;
  readonly token: string | null;
  readonly server: string | null;
}

/** As long as the server takes. */
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

/** The token as the worker has it, which drops the blanks around it; null: none. */
export function tokenOf({ token }: WorkerDraft): string | null {
  return token.trim() === '' ? null : token.trim();
}

function placeProblem({ way, url, relay, target }: WorkerDraft): string | null {
  const address = { address: url, relay, ssh: '' }[way].trim();
  // It would be written to the notebook's file, and shown.
  if (WITH_PASSWORD.test(address)) return WORKER_WORDS.urlHasPassword;
  if (way === 'address') return /^https?:\/\/[^/\s]/.test(url.trim()) ? null : WORKER_WORDS.urlWrong;
  if (way === 'relay') return WEB.test(relay.trim()) ? null : WORKER_WORDS.relayWrong;
  return /^[^\s-]\S*$/.test(target.trim()) ? null : WORKER_WORDS.targetWrong;
}

/** What is wrong with the server's address, where one is given. */
export function serverProblem(draft: TransportDraft): string | null {
  const { serverUrl } = transportOf(draft);
  if (serverUrl === null) return null;
  // It would be written to the notebook's file, and shown.
  if (WITH_PASSWORD.test(serverUrl)) return WORKER_WORDS.serverHasPassword;
  return HTTP.test(serverUrl) ? null : WORKER_WORDS.serverWrong;
}

/** How cells reach it; one that is brought by ssh is always sent them. */
export function transportOf({ way, transport, serverUrl }: TransportDraft): {
  readonly transport: 'direct' | 'signed';
  readonly serverUrl: string | null;
} {
  if (way === 'ssh' || transport === 'direct') return { transport: 'direct', serverUrl: null };
  return { transport, serverUrl: serverUrl.trim() === '' ? null : serverUrl.trim() };
}

/** By ssh, a worker is named after its machine unless a name is given. */
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

/** Where the notebook sends its cells; by a relay, the relay's address for the worker of this name. */
export function urlOf(draft: WorkerDraft): string {
  if (draft.way === 'address') return draft.url.trim();
  return `${relayBase(draft.relay, 'http')}/w/${encodeURIComponent(nameOf(draft))}/v1/execute`;
}

/**
 * The one command that makes a machine the worker of this draft; missing values are shown in capitals. The tokens are
 * written to files by a shell builtin: the arguments of a program are visible to every user of the machine.
 */
export function relayCommand(draft: WorkerDraft): string {
  const name = nameOf(draft);
  const relay = WEB.test(draft.relay.trim()) ? relayBase(draft.relay, 'ws') : 'wss://RELAY';
  const connect = `${relay}/connect/${name === '' ? 'NAME' : encodeURIComponent(name)}`;
  const file = `~/.svc/worker-${NAME.test(name) ? name : 'NAME'}`;
  const written = [
    'umask 077',
    'mkdir -p ~/.svc',
    `printf %s ${quoted(draft.token, 'TOKEN')} > ${file}.token`,
    `printf %s ${quoted(draft.connectToken, 'CONNECT_TOKEN')} > ${file}.connect-token`,
  ].join(' && ');
  const files = `--token-file ${file}.token --connect-token-file ${file}.connect-token`;
  return `(${written}) && svc worker --connect ${quoted(connect, '')} ${files}`;
}

/** A relay answers requests and sockets at one address. */
function relayBase(relay: string, kind: 'http' | 'ws'): string {
  const base = relay.trim().replace(/\/+$/, '');
  return kind === 'ws' ? base.replace(/^http/, 'ws') : base.replace(/^ws/, 'http');
}

/** For a shell of the person's own: nothing in it is anything but text. */
function quoted(text: string, missing: string): string {
  if (text === '') return missing;
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A random token of 256 bits. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
