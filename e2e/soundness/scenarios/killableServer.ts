/** A server for random scenarios, which are run on one notebook folder and kill the server in between. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerProcess, startServerProcess } from '../../support/serverProcess.ts';
import { makeSlot, type Slot } from '../play/slot.ts';

/** A server with one notebook folder, which tests can kill and start again. */
export interface KillableServer {
  readonly slot: Slot;
  /** Sends SIGKILL, then starts another server over the same folder. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export async function startKillableServer(root: string): Promise<KillableServer> {
  const storageDir = join(root, 'storage');
  const grants = [join(root, 'notebooks')];
  await mkdir(join(root, 'notebooks'), { recursive: true });
  const start = (): Promise<ServerProcess> => startServerProcess({ storageDir, grants });
  let server = await start();
  return {
    slot: await makeSlot(() => server.url, join(root, 'notebooks/scenario')),
    async kill() {
      await server.stop('SIGKILL');
      server = await start();
    },
    close: () => server.stop(),
  };
}
