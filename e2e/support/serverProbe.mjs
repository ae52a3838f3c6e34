/**
 * Loaded into a server by a benchmark: each SIGUSR2 collects the garbage, records the heap and restarts the measurement
 * of event loop delay. At its end the server writes {heaps (MiB, one per signal), p99 (milliseconds)} to PROBE_FILE.
 */

import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const file = process.env.PROBE_FILE;
if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const RESOLUTION_MS = 5;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const heaps = [];
  const p99s = [];
  const mark = () => {
    p99s.push(delay.percentile(99) / 1e6 - RESOLUTION_MS);
    collect();
    heaps.push(process.memoryUsage().heapUsed / 2 ** 20);
    delay.reset();
  };
  process.on('SIGUSR2', mark);
  // The histogram includes the timer's resolution in the delay. Values before the first signal belong to the start.
  process.on('exit', () =>
    writeFileSync(file, JSON.stringify({ heaps, p99: Math.max(0, ...p99s.slice(1)) })),
  );
}
