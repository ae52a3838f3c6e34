/**
 * The two timers of a relay connection: the delay before each reconnect, and pings with the detection of a
 * lost connection.
 */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reconnectDelayMs } from './backoff.ts';
import { Keepalive } from './keepalive.ts';

describe('reconnectDelayMs', () => {
  // failures in a row → the least and the most, in seconds
  const ROWS = [
    [1, 0.5, 1],
    [2, 1, 2],
    [3, 2, 4],
    [4, 4, 8],
    [5, 8, 16],
    [6, 16, 32],
    [7, 30, 60],
    [8, 30, 60],
    [5000, 30, 60],
  ] as const;
  for (const [failures, least, most] of ROWS) {
    it(`[RL-7] after ${failures} failures: ${least} to ${most} s`, () => {
      expect([0, 0.5, 1].map((chance) => reconnectDelayMs(failures, () => chance) / 1000)).toEqual([
        least,
        (least + most) / 2,
        most,
      ]);
    });
  }
});

describe('Keepalive', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** The events, each with the second in which it happened. */
  function watch(options: { readonly answers: boolean; readonly isPaused?: () => boolean }) {
    const log: string[] = [];
    const start = Date.now();
    const note = (what: string) => log.push(`${what} ${(Date.now() - start) / 1000}`);
    const keepalive = new Keepalive({
      ping: () => {
        note('ping');
        if (options.answers) setTimeout(() => keepalive.heard(), 1_000);
      },
      lost: () => note('lost'),
      ...(options.isPaused === undefined ? {} : { isPaused: options.isPaused }),
    });
    return { log, keepalive };
  }

  it('[RL-8] pings every 20 s while replies arrive', () => {
    const { log, keepalive } = watch({ answers: true });
    vi.advanceTimersByTime(90_000);
    keepalive.stop();
    expect(log).toEqual(['ping 20', 'ping 40', 'ping 60', 'ping 80']);
  });

  it('[RL-8] disconnects 20 s after an unanswered ping, once', () => {
    const { log } = watch({ answers: false });
    vi.advanceTimersByTime(200_000);
    expect(log).toEqual(['ping 20', 'ping 40', 'lost 40']);
  });

  it('[RL-8] a socket is not judged lost while it is not being read', () => {
    let isPaused = true;
    const { log } = watch({ answers: false, isPaused: () => isPaused });
    vi.advanceTimersByTime(100_000);
    isPaused = false;
    vi.advanceTimersByTime(100_000);
    expect(log.filter((line) => line.startsWith('lost'))).toEqual(['lost 120']);
  });
});
