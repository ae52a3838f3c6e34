// Loaded into a server by a bench: writes how late its event loop was (p99, milliseconds) to LOOP_DELAY_FILE at its
// end, counted from the last SIGUSR2.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.LOOP_DELAY_FILE;
if (isMainThread && file !== undefined) {
  const RESOLUTION_MS = 5;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('SIGUSR2', () => delay.reset());
  // The histogram counts the timer's own beat as delay.
  process.on('exit', () =>
    writeFileSync(file, JSON.stringify({ p99: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS) })),
  );
}
