import { setTimeout } from 'node:timers/promises';
import { CallError } from './restCaller.ts';
import type { Target } from './target.ts';

const LOOK_MS = 100;

/**
 * Waits for the sync that opening a folder began. A running server's sessions are their windows' business: what is
 * not ready there is refused in its words.
 * @throws CallError where one is needed and `sync` is false
 */
export async function environmentSettled(target: Target, options: { readonly sync: boolean }): Promise<void> {
  if (target.kind === 'server') return;
  let told = false;
  for (;;) {
    const { environment } = await target.call('environment', { params: { sid: target.sid } });
    if (environment.sync_state !== 'pending') return;
    if (!options.sync)
      throw new CallError('The environment is not up to date. Run once without --no-sync.', 409);
    if (!told) process.stderr.write('Preparing the environment…\n');
    told = true;
    await setTimeout(LOOK_MS);
  }
}
