/** Writes one setting of a notebook, such as its workers or connections, to notebook.toml. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import type { StoredCredentials } from '../../notebook/stored/storedCredentials.ts';
import { LOCAL_WORKER } from '../../notebook/workers.ts';
import type { SecretManagers } from '../../secrets/secretManagers.ts';
import { requestedMounts } from '../keys/requestedMounts.ts';
import type { SettingsChange } from '../state/requests.ts';

/**
 * Writes one setting to the notebook's file. @throws AppError if the file cannot store it, or this server
 * lacks the secret manager (docs/spec/notebook-file.md, 3.3)
 */
export async function writeSetting(
  files: NotebookFiles,
  change: SettingsChange,
  tools: {
    readonly managers: Pick<SecretManagers, 'whyRefused'>;
    readonly credentials: Pick<StoredCredentials, 'named' | 'keep'>;
  },
): Promise<void> {
  switch (change.of) {
    case 'mounts':
      return files.configure(null, { mounts: await requestedMounts(change, { ...tools, files }) });
    case 'values':
      return files.configure(null, change.values);
    case 'connections':
      return files.setConnections(change.connections);
    case 'env':
      return files.setEnv(change.env);
    case 'ai':
      return files.configure(null, { ai: change.ai });
    case 'workers':
      return files.configure(null, { workers: change.workers });
    case 'app':
      return files.configure(null, { app: change.app });
    case 'worker':
      return files.configure(null, { worker: change.worker === LOCAL_WORKER ? null : change.worker });
    case 'secret_manager': {
      const problem = change.config === null ? null : tools.managers.whyRefused(change.config);
      if (problem !== null) throw new AppError('bad_request', problem);
      return files.configure(null, { secret_manager: change.config });
    }
  }
}
