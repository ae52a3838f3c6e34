/**
 * A real relay and worker client together: many calls arrive byte for byte, while sockets are cut, the relay
 * restarts and callers leave.
 */

import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect as connectTcp, createServer as createTcp, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { pick, seeded } from '../../e2e/support/seeded.ts';
import { stayConnected } from './client/stayConnected.ts';
import { RELAY_LIMITS } from './server/relayLimits.ts';
import { startRelay } from './server/relayServer.ts';
import { readRelayWorkers } from './server/relayWorkers.ts';

const log = pino({ level: 'silent' });
const TOKEN = 'a-connect-token-of-gpu';
const workers = readRelayWorkers({ toml: '', env: `gpu=${TOKEN}` });
const LONG = process.env['LONG'] === '1';

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Bytes that differ for every seed and are quick to generate. */
function bytesOf(seed: number, length: number): Buffer {
  return Buffer.alloc(length, createHash('sha256').update(String(seed)).digest());
}

/** Answers with the hash of the request's body and then as many bytes as the query requests. */
const echo: RequestListener = (request, response) => {
  const query = new URLSearchParams(request.url?.split('?')[1]);
  const hash = createHash('sha256');
  request.on('data', (bytes) => hash.update(bytes));
  request.on('end', () => {
    response.write(hash.digest('hex'));
    response.end(bytesOf(Number(query.get('seed')), Number(query.get('length'))));
  });
};

/** A relay, a worker that echoes, and a network between them that can be cut. */
async function world() {
  const start = (port: number) =>
    startRelay({ workers, limits: RELAY_LIMITS, log }, { host: '127.0.0.1', port });
  let relay = await start(0);
  const { port } = relay;
  const sockets = new Set<Socket>();
  const network = createTcp((near) => {
    const far = connectTcp(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
  const stop = new AbortController();
  const ended = stayConnected({
    url: `ws://127.0.0.1:${(network.address() as AddressInfo).port}/connect/gpu`,
    token: TOKEN,
    server: createServer(echo),
    signal: stop.signal,
    log,
    // Attempts follow immediately: the test is about what happens between them.
    sleep: async () => void (await nextTurn()),
  });
  const base = `http://127.0.0.1:${port}`;
  /** The text of a page of the relay; empty while it restarts. */
  const read = async (path: string) => {
    try {
      return await (await fetch(`${base}${path}`)).text();
    } catch {
      return '';
    }
  };
  return {
    base,
    /** Resolves when the worker is connected. */
    ready: async () => {
      while (!(await read('/health')).includes('"workers_connected":1')) await nextTurn();
    },
    /** Waits until there are no calls and no queued bytes. */
    quiet: async () => {
      while (!/svc_relay_streams 0\n/.test(await read('/metrics'))) await nextTurn();
      while (!/svc_relay_spooled_bytes 0\n/.test(await read('/metrics'))) await nextTurn();
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    restart: async () => {
      await relay.close();
      relay = await start(port);
    },
    end: async () => {
      stop.abort();
      await ended;
      await relay.close();
      network.close();
    },
  };
}

interface Call {
  readonly seed: number;
  readonly up: number;
  readonly down: number;
}

/** The result of a call: `whole` if every byte was right, `wrong` if one was not, else the status or `broken`. */
async function call(base: string, { seed, up, down }: Call, signal?: AbortSignal): Promise<string> {
  const body = bytesOf(seed, up);
  try {
    const response = await fetch(`${base}/w/gpu/v1/execute?seed=${seed}&length=${down}`, {
      method: 'POST',
      body,
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.status !== 200) {
      await response.arrayBuffer();
      return String(response.status);
    }
    const answer = Buffer.from(await response.arrayBuffer());
    const expected = Buffer.concat([Buffer.from(sha(body)), bytesOf(seed, down)]);
    return answer.equals(expected) ? 'whole' : 'wrong';
  } catch {
    return 'broken';
  }
}

function callOf(random: () => number, seed: number, most: number): Call {
  const size = () => Math.floor(random() ** 3 * most);
  return { seed, up: size(), down: size() };
}

describe('relay and client together', () => {
  it('[RL-27] a hundred concurrent calls of mixed sizes arrive unchanged', async () => {
    const setup = await world();
    await setup.ready();
    const random = seeded(100);
    const calls = Array.from({ length: 100 }, (_none, n) => callOf(random, n, LONG ? 8_000_000 : 1_000_000));
    const results = await Promise.all(calls.map((request) => call(setup.base, request)));
    expect(results.filter((outcome) => outcome !== 'whole')).toEqual([]);
    await setup.quiet();
    await setup.end();
  });

  for (let seed = 1; seed <= (LONG ? 30 : 2); seed += 1) {
    it(`[RL-28] cut sockets, restarted relays and disconnecting callers: every call ends, complete or with a message (seed ${seed})`, async () => {
      const random = seeded(seed);
      const setup = await world();
      const counts = new Map<string, number>();
      let remaining = 60;
      const caller = async () => {
        while (remaining > 0) {
          remaining -= 1;
          const request = callOf(random, remaining, LONG ? 3_000_000 : 1_500_000);
          const stop = new AbortController();
          // Some disconnect during their call, after some turns of the loop.
          const patience = random() < 0.2 ? Math.floor(random() * 200) : null;
          const outcome = call(setup.base, request, stop.signal);
          if (patience !== null) {
            for (let waited = 0; waited < patience; waited += 1) await nextTurn();
            stop.abort();
          }
          const kind = await outcome;
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
          if (random() < 0.15) setup.cut();
          if (random() < 0.05) await setup.ready();
        }
      };
      const callers = Array.from({ length: 8 }, caller);
      for (let restarts = 0; restarts < 2; restarts += 1) {
        const until = Math.floor(remaining * pick(random, [0.4, 0.6, 0.8]));
        while (remaining > until) await nextTurn();
        await setup.restart();
      }
      await Promise.all(callers);
      const kinds = [...counts.keys()].filter((kind) => !['whole', 'broken', '502', '503'].includes(kind));
      expect(kinds, JSON.stringify([...counts])).toEqual([]);
      // Afterwards calls work normally.
      await setup.ready();
      const after = await Promise.all(
        Array.from({ length: 10 }, (_none, n) => call(setup.base, callOf(random, n, 500_000))),
      );
      expect(after.filter((outcome) => outcome !== 'whole')).toEqual([]);
      await setup.quiet();
      await setup.end();
    });
  }
});
