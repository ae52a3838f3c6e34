import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

/**
 * A thread for the property test: swaps folders for links that lead outside, and back, as fast as it can
 * until `stop` is set. A failed swap means that the test has just created the name.
 */
const { root, victim, names, stop } = workerData as {
  readonly root: string;
  readonly victim: string;
  readonly names: readonly string[];
  /** [0]: 1 to stop; [1]: the number of swaps. */
  readonly stop: Int32Array;
};

function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  }
}

for (let at = 0; Atomics.load(stop, 0) === 0; at += 1) {
  const name = names[at % names.length] ?? '';
  const [path, beside] = [join(root, name), join(root, `${name.replaceAll('/', '-')}-beside`)];
  attempt(() => renameSync(path, beside));
  attempt(() => symlinkSync(join(victim, at % 2 === 0 ? '' : 'sub'), path));
  attempt(() => unlinkSync(path));
  attempt(() => renameSync(beside, path));
  if (at % 16 === 0) {
    attempt(() => rmSync(beside, { recursive: true, force: true }));
    attempt(() => mkdirSync(path, { recursive: true }));
  }
  Atomics.add(stop, 1, 1);
}
