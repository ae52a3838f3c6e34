/** Waits until the environment of a command's notebook is ready. */

import { setTimeout } from 'node:timers/promises';
import { CallError } from './restCaller.ts';
import type { Target } from './target.ts';

const POLL_MS = 100;

/**
 * Waits for the sync that opening a folder started. Sessions of a running server are managed by their windows: if their
 * environment is not ready, the server's refusal says so.
 * @throws CallError if a sync is needed and `sync` is false
 */
export async function waitForTargetSync(target: Target, options: { readonly sync: boolean }): Promise<void> {
  if (target.kind === 'server') return;
  let isReported = false;
  for (;;) {
    const { environment } = await target.call('environment', { params: { sid: target.sid } });
    if (environment.sync_state !== 'pending') return;
    if (!options.sync)
      throw new CallError('The environment is not up to date. Run once without --no-sync.', 409);
    if (!isReported) process.stderr.write('Preparing the environment…\n');
    isReported = true;
    await setTimeout(POLL_MS);
  }
}
