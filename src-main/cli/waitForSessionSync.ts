/** Waits for the environment of a notebook that a command opened in this process (`svc run`, `svc cell test`). */

import { AppError } from '../../src-shared/wire/errors.ts';
import type { Session } from '../session/api.ts';

/**
 * Waits for a sync that opening has started, and reports it once on stderr.
 * @throws AppError conflict if a sync is needed and `sync` is false
 */
export async function waitForSessionSync(
  session: Session,
  options: { readonly sync: boolean; readonly quiet: boolean },
): Promise<void> {
  const isPending = (): boolean => session.views.notebook.body().environment.sync_state === 'pending';
  if (!isPending()) return;
  if (!options.sync)
    throw new AppError('conflict', 'The environment is not up to date. Run once without --no-sync.');
  if (!options.quiet) process.stderr.write('Preparing the environment…\n');
  await new Promise<void>((ready) => {
    session.attach({
      send: () => {
        if (!isPending()) ready();
      },
      closed: () => ready(),
    });
    if (!isPending()) ready();
  });
}
