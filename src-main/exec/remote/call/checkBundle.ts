/** Checks an output bundle that a worker has delivered while no run waits for it, before it is accepted. */

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { OutputProblem } from '../../../builds/buildRefusal.ts';
import { removeTree } from '../../../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../../../lib/makePrivateFolder.ts';
import { BundleProblem } from '../../outputBundle/bundleProblem.ts';
import { readBundle } from '../../outputBundle/readBundle.ts';

/** Reads and checks a bundle as the run that it is for would, and discards it. @throws OutputProblem */
export async function checkBundle(file: string, limits: { readonly maxMemberBytes: number }): Promise<void> {
  const dir = join(dirname(file), `.check-${randomBytes(6).toString('hex')}`);
  makePrivateFolder(dir);
  try {
    await readBundle(createReadStream(file), { dir, ...limits });
  } catch (error) {
    throw error instanceof BundleProblem ? new OutputProblem(error.message) : error;
  } finally {
    await removeTree(dir);
  }
}
