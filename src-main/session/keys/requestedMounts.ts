/** Converts the mounts that a user requested to the form that notebook.toml stores. */

import type { Mount } from '../../../src-shared/wire/cell.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import { createMountMemory, splitOptions, unmaskMounts } from '../../notebook/stored/mountSecrets.ts';
import type { StoredCredentials } from '../../notebook/stored/storedCredentials.ts';
import type { SettingsChange } from '../state/requests.ts';

type Request = Extract<SettingsChange, { of: 'mounts' }>;
type Credentials = Pick<StoredCredentials, 'named' | 'keep'>;

/** One memory per open notebook: an undo restores a mount that no file contains any more. */
const memories = new WeakMap<NotebookFiles, ReturnType<typeof createMountMemory>>();

/**
 * The requested mounts as the file will have them: masks replaced by the real values, and the credentials of
 * one mount moved to a named credential if requested. @throws AppError bad_request
 */
export async function requestedMounts(
  { mounts: list, keepCredentialOf }: Request,
  { files, credentials }: { readonly files: NotebookFiles; readonly credentials: Credentials },
): Promise<readonly Mount[]> {
  const memory = memories.get(files) ?? createMountMemory();
  memories.set(files, memory);
  const now = files.file().mounts;
  const mounts = unmaskMounts(list, { now, earlier: memory.see(now) });
  const mount = mounts.find(({ name }) => name === keepCredentialOf);
  if (mount === undefined) return mounts;
  const { rest, secrets } = splitOptions(mount.options);
  if (Object.keys(secrets).length === 0)
    throw new AppError('bad_request', `The mount "${mount.name}" has no credentials in its options.`);
  const before = mount.credential === null ? {} : fieldsOf(mount.credential, credentials);
  const credential = await credentials.keep(mount.name, { ...before, ...secrets });
  return mounts.map((one) => (one === mount ? { ...one, options: rest, credential } : one));
}

function fieldsOf(name: string, { named }: Credentials): Readonly<Record<string, unknown>> {
  const fields = named !== null && Object.hasOwn(named, name) ? named[name] : null;
  if (typeof fields === 'object' && fields !== null) return { ...fields };
  throw new AppError(
    'bad_request',
    `This server has no credential "${name}" that these options could be added to.`,
  );
}
