/**
 * Simulates two to four people at one notebook: real window sessions of the renderer, a server and connections in
 * memory, and a fake clock. The seed decides every action; a judge checks the states.
 */

import { vi } from 'vitest';
import { PERSONAL_CALLER } from '../../src-main/server/caller.ts';
import { answerFor } from '../../src-main/server/errorAnswer.ts';
import type { NotebookSession } from '../../src-renderer/live/notebookSession.ts';
import { createStructure, type Structure } from '../../src-renderer/live/structure.ts';
import { shownSource } from '../../src-renderer/state/notebookStore.ts';
import { pick, seeded } from '../support/seeded.ts';
import { SimClock } from './clock.ts';
import { SimServer } from './server.ts';
import { Wire } from './wire.ts';

/** A person at a window: the window's real session with the server, over a connection in memory. */
interface Person {
  readonly name: string;
  readonly role: 'editor' | 'viewer';
  readonly window: NotebookSession;
  readonly structure: Structure;
  wire: Wire | null;
}

/** The state of one simulated run, for the judge. */
export interface Simulation {
  readonly server: SimServer;
  readonly people: readonly Person[];
  /** Every piece of text that was typed, with its cell. */
  readonly typed: readonly { readonly by: Person; readonly cellId: string; readonly token: string }[];
  /** Frames that arrived with a lower number than the previous frame of their socket. */
  readonly disordered: readonly string[];
  readonly dropped: number;
}

/** The renderer is imported after the globals that it needs are stubbed. */
type Windows = typeof import('../../src-renderer/live/notebookSession.ts');

const SOURCES = { a: 'x = 1', b: 'y = x + 1', c: 'z = y + x', d: 'print(z)' };
const LINES = ['w = x', 'x = 2', 'v = y + w', 'boom', 'u = z'];

/** Makes one simulated run with this number of actions; the same seed gives the same run. */
export async function simulate(
  seed: number,
  {
    acts,
    judge,
  }: { acts: number; judge: (simulation: Simulation, when: 'at rest' | 'after a sync') => void },
): Promise<void> {
  const random = seeded(seed);
  const clock = new SimClock();
  const server = new SimServer({ random }, SOURCES);
  const people: Person[] = [];
  const typed: { by: Person; cellId: string; token: string }[] = [];
  const disordered: string[] = [];
  const simulation = { server, people, typed, disordered, dropped: 0 };
  stubPage(people, { server, random, disordered });
  // Imported after stubPage. Later runs get the same module from the cache.
  const { NotebookSession: Window }: Windows = await import('../../src-renderer/live/notebookSession.ts');
  const count = 2 + Math.floor(random() * 3);
  for (let at = 0; at < count; at += 1) {
    const name = `p${at}`;
    const role = at > 1 && random() < 0.3 ? 'viewer' : 'editor';
    // Opening connects at once, and the socket searches `people` for its person.
    const person = { name, role, wire: null } as unknown as { -readonly [K in keyof Person]: Person[K] };
    people.push(person);
    person.window = new Window({
      sessionId: name,
      path: '/notebook',
      justOpened: true,
      role,
      onSessionId: () => undefined,
    });
    person.structure = createStructure(person.window.store);
  }
  try {
    await clock.advance(1_000);
    for (let at = 0; at < acts; at += 1) {
      act(pick(random, people), { random, simulation });
      await clock.advance(Math.floor(random() * random() * 2_500));
    }
    await atRest(simulation, clock);
    judge(simulation, 'at rest');
    // A reconnected window puts a text without a cell into a new cell; the second sync delivers that change.
    for (const _sync of [1, 2]) {
      for (const { wire } of people) wire?.drop();
      await atRest(simulation, clock);
    }
    judge(simulation, 'after a sync');
  } finally {
    for (const { window } of people) window.close();
    await clock.advance(100);
    clock.close();
    vi.unstubAllGlobals();
  }
}

interface Now {
  readonly random: () => number;
  readonly simulation: Simulation & {
    dropped: number;
    typed: { by: Person; cellId: string; token: string }[];
  };
}

/** One random event of a person: a fault of the connection, or an action. */
function act(person: Person, now: Now): void {
  const { window, role, wire } = person;
  const { order } = window.store.getState().model;
  const roll = now.random();
  if (roll < 0.06) {
    wire?.drop();
    now.simulation.dropped += 1;
  } else if (roll < 0.12 && wire !== null) wire.slow = true;
  else if (roll < 0.18) wire?.resume();
  else if (order.length > 0) {
    const cellId = pick(now.random, order);
    if (roll < 0.24) window.focus(cellId);
    else if (role === 'editor' && roll < 0.55) type(person, cellId, now);
    else if (role === 'editor') work(person, cellId, { ...now, roll });
  }
}

/** Inserts a unique line between existing ones; no person removes a line. */
function type(person: Person, cellId: string, { random, simulation }: Now): void {
  const { edits, store } = person.window;
  const token = `# t${simulation.typed.length};`;
  const lines = shownSource(store.getState(), cellId).split('\n');
  const line = random() < 0.3 ? `${pick(random, LINES)} ${token}` : token;
  edits.type(cellId, lines.toSpliced(Math.floor(random() * (lines.length + 1)), 0, line).join('\n'));
  simulation.typed.push({ by: person, cellId, token });
  if (random() < 0.5) edits.save(cellId);
}

function work({ window, structure }: Person, cellId: string, { random, roll }: Now & { roll: number }): void {
  const { runs, store } = window;
  const { order } = store.getState().model;
  if (roll < 0.68) runs.run(cellId);
  else if (roll < 0.72) runs.rerun(cellId);
  else if (roll < 0.76) runs.runAll({ rerun: random() < 0.5 });
  else if (roll < 0.79) runs.cancel(cellId);
  else if (roll < 0.82) runs.cancelAll();
  else if (roll < 0.86) runs.confirmCascade();
  else if (roll < 0.91) ignoring(structure.add({ afterId: cellId, language: 'python' }));
  else if (roll < 0.94 && order.length > 2) ignoring(structure.remove(cellId));
  else {
    const place = new Map(order.map((id) => [id, random()]));
    ignoring(structure.reorder(order.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0))));
  }
}

/** Refusals are shown to the person; here they are ignored. */
function ignoring(work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'RestError') throw error;
  });
}

/** Waits until every window is connected and in sync, and nothing is in progress. */
async function atRest({ server, people }: Simulation, clock: SimClock): Promise<void> {
  let quietTurns = 0;
  for (let turn = 0; turn < 200; turn += 1) {
    for (const { wire } of people) wire?.resume();
    await clock.advance(1_000);
    const isQuiet = people.every(({ window, role }) => {
      const { link, model, drafts, asked, orphanTexts } = window.store.getState();
      const isHoused = orphanTexts.every(({ state }) => state === 'refused');
      const isSaved = Object.values(drafts).every(({ state }) => state === 'refused');
      const isAnswered = Object.keys(asked).length === 0 && model.queue.length === 0;
      return (
        link.kind === 'live' && !model.needsSync && (role === 'viewer' || (isSaved && isAnswered && isHoused))
      );
    });
    quietTurns = isQuiet && !server.isBusy && server.state.running === null ? quietTurns + 1 : 0;
    // Frames that were just sent may not have arrived at a window.
    if (quietTurns === 2) return;
  }
  const state = people.map(({ window, name }) => {
    const { link, model, drafts, asked } = window.store.getState();
    return { name, link, needsSync: model.needsSync, drafts, asked, queue: model.queue };
  });
  throw new Error(
    `never at rest: ${JSON.stringify({ state, busy: server.isBusy, running: server.state.running?.runId })}`,
  );
}

/** Stubs a page's globals; requests and sockets go to the simulated server. */
function stubPage(
  people: readonly Person[],
  { server, random, disordered }: { server: SimServer; random: () => number; disordered: string[] },
): void {
  const listens = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('window', { ...listens });
  vi.stubGlobal('document', { ...listens, baseURI: 'http://sim/', visibilityState: 'visible' });
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => setTimeout(task, 16));
  vi.stubGlobal(
    'Math',
    Object.create(Math, { ...Object.getOwnPropertyDescriptors(Math), random: { value: random } }),
  );
  const connect = (address: string) => {
    const person = people.find(({ name }) => address.includes(`/ws/${name}`));
    if (person === undefined) throw new Error(`there is no person at ${address}`);
    const wire = new Wire({ random }, (end) => server.serve(end, person.role));
    watchOrder(wire, (what) => disordered.push(`${person.name}: ${what}`));
    person.wire = wire;
    return wire.client;
  };
  const Socket = function Socket(address: string) {
    return connect(address);
  };
  vi.stubGlobal('WebSocket', Object.assign(Socket, { OPEN: 1 }));
  vi.stubGlobal('fetch', async (url: URL | string, init: RequestInit = {}) => {
    const wait = () => new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 30)));
    await wait();
    const answer = await answerOf(new URL(String(url)).pathname, { init, server, people });
    await wait();
    const { status, body } = answer;
    return {
      ok: status < 400,
      status,
      json: async () => structuredClone(body),
      text: async () => JSON.stringify(body),
    };
  });
}

async function answerOf(
  path: string,
  { init, server, people }: { init: RequestInit; server: SimServer; people: readonly Person[] },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { method = 'GET' } = init;
  const [sid = '', area, cell_id = ''] = path.replace('/v1/notebooks/', '').split('/');
  const body = init.body === undefined || init.body === null ? undefined : JSON.parse(String(init.body));
  const call = {
    caller: PERSONAL_CALLER,
    query: undefined as never,
    upload: null as never,
    params: { sid, cell_id },
    client: '127.0.0.1',
    wanted: () => new AbortController().signal,
  };
  try {
    const { handlers } = server;
    if (sid === 'sessions') return { status: 200, body: { sessions: people.map(listed) } };
    if (area !== 'cells') return { status: 404, body: { detail: 'Not simulated' } };
    if (method === 'POST') return { status: 200, body: await handlers.addCell({ ...call, body }) };
    if (method === 'DELETE') return { status: 200, body: await handlers.deleteCell({ ...call, body }) };
    if (cell_id === 'reorder') return { status: 200, body: await handlers.reorderCells({ ...call, body }) };
    return { status: 200, body: await handlers.editCell({ ...call, body: { force: false, ...body } }) };
  } catch (error) {
    return answerFor(error);
  }
}

function listed({ name }: Person): object {
  const times = { created_at: null, updated_at: null };
  return { session_id: name, name: 'N', path: '/notebook', notebook_id: 'n1', ...times };
}

function watchOrder({ client }: Wire, broken: (what: string) => void): void {
  let last = 0;
  let inner: ((event: { readonly data: string }) => void) | null = null;
  Object.defineProperty(client, 'onmessage', {
    get: () => (event: { readonly data: string }) => {
      const seq = Number(/"seq":(\d+)/.exec(event.data)?.[1]);
      if (!(seq >= last)) broken(`${seq} after ${last}`);
      last = seq;
      inner?.(event);
    },
    set: (listener) => {
      inner = listener;
    },
  });
}
