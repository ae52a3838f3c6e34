import { createServer } from 'node:http';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { DialResult } from './dialRelay.ts';
import { stayConnected } from './stayConnected.ts';

const log = pino({ level: 'silent' });
const failed: DialResult = { kind: 'failed', reason: 'ECONNREFUSED' };

/** Attempts come from a list; delays are recorded instead of waited. */
async function connect(attempts: readonly DialResult[]) {
  const remaining = [...attempts];
  const waits: number[] = [];
  const stop = new AbortController();
  const end = await stayConnected({
    url: 'ws://relay.example/connect/gpu',
    token: null,
    server: createServer(),
    log,
    signal: stop.signal,
    random: () => 1,
    dial: async () => {
      const next = remaining.shift();
      if (remaining.length === 0) stop.abort();
      return next ?? failed;
    },
    sleep: async (ms) => void waits.push(ms / 1000),
  });
  return { end, waits };
}

describe('stayConnected', () => {
  it('[RL-7] the delays double up to a minute', async () => {
    const { end, waits } = await connect(Array.from({ length: 10 }, () => failed));
    expect({ end, waits }).toEqual({ end: null, waits: [1, 2, 4, 8, 16, 32, 60, 60, 60] });
  });

  it('[RL-9] a final refusal ends it with its reason, in any earlier state', async () => {
    const { end, waits } = await connect([failed, { kind: 'refused', reason: 'no such worker' }, failed]);
    expect({ end, waits }).toEqual({ end: 'no such worker', waits: [1] });
  });
});
