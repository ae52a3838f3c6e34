import { expect, it } from 'vitest';
import type { ShellToServer } from '../../src-shared/shell/handshake.ts';
import { createServerHost, type HostEvent, type ServerHost } from './serverHost.ts';
import type { ServerLink } from './serverLink.ts';

const TOKEN = 't'.repeat(43);

/** A fake server process that records its messages. */
class FakeLink implements ServerLink {
  readonly pid = 1;
  readonly told: ShellToServer[] = [];
  killed = false;
  #message: ((data: unknown) => void)[] = [];
  #exit: ((code: number | null) => void)[] = [];
  send(message: ShellToServer): void {
    this.told.push(message);
  }
  onMessage(listener: (data: unknown) => void): void {
    this.#message.push(listener);
  }
  onExit(listener: (code: number | null) => void): void {
    this.#exit.push(listener);
  }
  kill(): void {
    this.killed = true;
    this.exit();
  }
  says(data: unknown): void {
    for (const listener of this.#message) listener(data);
  }
  exit(): void {
    for (const listener of this.#exit) listener(null);
  }
}

interface Stage {
  readonly host: ServerHost;
  readonly links: FakeLink[];
  readonly events: HostEvent[];
  readonly waits: number[];
  readonly roots: string[];
  readonly last: () => FakeLink;
  /** Runs the pending actions, oldest first. */
  readonly pass: () => void;
  clock: number;
}

function stage(port = 0): Stage {
  const links: FakeLink[] = [];
  const events: HostEvent[] = [];
  const waits: number[] = [];
  const later: (() => void)[] = [];
  const roots = ['/a'];
  const made: Omit<Stage, 'host'> = {
    links,
    events,
    waits,
    roots,
    clock: 0,
    last: () => links.at(-1) ?? new FakeLink(),
    pass: () => later.shift()?.(),
  };
  const host = createServerHost({
    startLink: () => {
      const link = new FakeLink();
      links.push(link);
      return link;
    },
    token: TOKEN,
    roots: () => roots,
    trusted: () => ['/mine'],
    resources: '/r',
    port,
    onEvent: (event) => events.push(event),
    later: (ms, act) => {
      waits.push(ms);
      later.push(act);
    },
    now: () => made.clock,
  });
  return Object.assign(made, { host });
}

it('[DK-7] starts with token, folders and any port; reports its port', () => {
  const it = stage();
  it.host.start();
  expect(it.last().told).toEqual([
    { type: 'start', token: TOKEN, roots: ['/a'], trusted: ['/mine'], port: 0, resources: '/r' },
  ]);
  it.last().says({ type: 'nonsense' });
  it.last().says({ type: 'listening', port: 4000 });
  expect(it.events).toEqual([{ type: 'up', port: 4000 }]);
});

it('[DK-31] tries the port of earlier starts first, and uses another if it is in use', () => {
  const it = stage(4_100);
  it.host.start();
  expect(it.last().told[0]).toMatchObject({ port: 4_100 });
  it.last().says({ type: 'failed', message: 'Port 4100 is in use' });
  it.pass();
  expect(it.last().told[0]).toMatchObject({ port: 0 });
  it.last().says({ type: 'listening', port: 5_000 });
  expect(it.events.at(-1)).toEqual({ type: 'up', port: 5_000 });
});

it('[DK-30] gets the proxies for external hosts, once, and so does the one after a crash', () => {
  const it = stage();
  const networkMessage = { type: 'network', variables: { HTTPS_PROXY: 'http://proxy:1' } };
  it.host.network({});
  it.host.start();
  it.host.network(networkMessage.variables);
  it.host.network({ ...networkMessage.variables });
  expect(it.last().told.slice(1)).toEqual([networkMessage]);
  it.last().says({ type: 'listening', port: 4000 });
  it.last().exit();
  it.pass();
  expect(it.last().told.slice(1)).toEqual([networkMessage]);
});

it('[DK-7] after a crash the next start uses the same port, with every folder granted since', () => {
  const it = stage();
  it.host.start();
  it.last().says({ type: 'listening', port: 4000 });
  it.roots.push('/b');
  it.last().exit();
  expect(it.events.at(-1)).toEqual({ type: 'down' });
  it.pass();
  expect(it.last().told[0]).toMatchObject({ token: TOKEN, port: 4000, roots: ['/a', '/b'] });
  expect(it.links).toHaveLength(2);
});

it('[DK-7] when the previous port is in use, another one is used and the windows are informed', () => {
  const it = stage();
  it.host.start();
  it.last().says({ type: 'listening', port: 4000 });
  it.last().exit();
  it.pass();
  it.last().says({ type: 'failed', message: 'Port 4000 is in use' });
  it.pass();
  expect(it.last().told[0]).toMatchObject({ port: 0 });
  it.last().says({ type: 'listening', port: 5000 });
  expect(it.events.at(-1)).toEqual({ type: 'up', port: 5000 });
});

it('[DK-7] waits longer each time, gives up with the server’s message, and retries on request', () => {
  const it = stage();
  it.host.start();
  for (let at = 0; at < 5; at += 1) {
    it.last().says({ type: 'failed', message: 'no disk' });
    it.pass();
  }
  it.last().says({ type: 'failed', message: 'no disk' });
  expect(it.waits).toEqual([100, 500, 1_000, 3_000, 10_000]);
  expect(it.events.at(-1)).toEqual({ type: 'gave_up', message: 'no disk' });
  it.host.retry();
  expect(it.links).toHaveLength(7);
});

it('[DK-7] a server that lived long resets the delays', () => {
  const it = stage();
  it.host.start();
  for (let at = 0; at < 8; at += 1) {
    it.clock += 60_000;
    it.last().exit();
    it.pass();
  }
  expect(new Set(it.waits)).toEqual(new Set([100]));
});

it('[DK-3] a grant waits for its reply; after a crash the next start passes the grant', async () => {
  const it = stage();
  it.host.start();
  const early = it.host.grant('/early');
  it.last().says({ type: 'listening', port: 4000 });
  const lastMessage = it.last().told.at(-1);
  expect(lastMessage).toMatchObject({ type: 'grant', root: '/early' });
  it.last().says({ type: 'granted', id: lastMessage?.type === 'grant' ? lastMessage.id : -1 });
  await early;
  const cut = it.host.grant('/cut');
  it.last().exit();
  await cut;
  await it.host.grant('/while down');
  expect(it.last().told).toHaveLength(3);
});

it('[DK-6] names the notebooks that run; for a server that is silent or down, none', async () => {
  const it = stage();
  expect(await it.host.running()).toEqual([]);
  it.host.start();
  it.last().says({ type: 'listening', port: 4000 });
  const asked = it.host.running();
  it.last().says({ type: 'running', id: 1, names: ['weather'] });
  expect(await asked).toEqual(['weather']);
  const silent = it.host.running();
  it.pass();
  it.pass();
  expect(await silent).toEqual([]);
});

it('[DK-4] requests a stop, then forces it, and starts no other server', async () => {
  const it = stage();
  it.host.start();
  it.last().says({ type: 'listening', port: 4000 });
  const stopped = it.host.stop();
  expect(it.last().told.at(-1)).toEqual({ type: 'stop' });
  it.pass();
  await stopped;
  expect(it.last().killed).toBe(true);
  expect(it.links).toHaveLength(1);
  expect(it.events).toEqual([{ type: 'up', port: 4000 }]);
});

it('[DK-24] sends trusted folders to the server, and created notebooks to the windows', async () => {
  const it = stage();
  it.host.start();
  it.last().says({ type: 'listening', port: 4000 });
  const trusting = it.host.trust('/theirs');
  const lastMessage = it.last().told.at(-1);
  expect(lastMessage).toMatchObject({ type: 'trust', root: '/theirs' });
  it.last().says({ type: 'granted', id: lastMessage?.type === 'trust' ? lastMessage.id : -1 });
  await trusting;
  it.last().says({ type: 'made', path: '/new' });
  expect(it.events.at(-1)).toEqual({ type: 'made', path: '/new' });
  it.last().says({ type: 'removed', path: '/new' });
  expect(it.events.at(-1)).toEqual({ type: 'removed', path: '/new' });
});
