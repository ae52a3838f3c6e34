import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { type ProjectFiles, readProjectFiles, undoEdit, writeProjectFiles } from '../folder/projectUndo.ts';
import { markSyncEnded, markSyncStarted, recoverEnvironment } from '../syncMarker.ts';
import { replaceVenv, rollBackVenv } from '../uv/replaceVenv.ts';
import { hasInterpreter, isMadeFrom, readMarker, venvDir, venvPython, writeMarker } from './venv.ts';
import { SWAP_DISK, type SwapDisk, stagedVenv } from './venvPlaces.ts';

const root = await mkdtemp(join(tmpdir(), 'cellar-places-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const BEFORE: ProjectFiles = { project: 'name = "before"\n', lock: 'version = 1\n' };
const AFTER: ProjectFiles = { project: 'name = "after"\n', lock: 'version = 2\n' };
const ID = '00000001';
const sha = (text: string | null): string =>
  createHash('sha256')
    .update(text ?? '')
    .digest('hex');

async function environment(path: string, name: string, from: ProjectFiles): Promise<void> {
  await mkdir(dirname(venvPython(path)), { recursive: true });
  await mkdir(join(path, 'lib/python3.13/site-packages/apple'), { recursive: true });
  await symlink(process.execPath, venvPython(path));
  await writeMarker(path, {
    id: name,
    pyprojectSha256: sha(from.project),
    lockSha256: sha(from.lock),
    lockDigest: name,
    pythonVersion: '3.13.0',
    installed: '',
    syncedAt: 0,
    durationMs: 0,
    notice: null,
  });
}

class Killed extends Error {
  override readonly message = 'Killed';
}

/** An error or a kill at one disk operation. */
interface Fault {
  readonly name: string;
  /** Gets the operation and how often it was made before. */
  meet(call: string, times: number, doIt: () => Promise<void>, dir: string): Promise<void>;
}

const failing = (code: string, isPermanent: boolean): Fault => ({
  name: `${code} ${isPermanent ? 'every time' : 'once'}`,
  meet: async (_call, times, doIt) => {
    if (isPermanent || times === 0) throw Object.assign(new Error(code), { code });
    await doIt();
  },
});

const FAULTS: readonly Fault[] = [
  { name: 'nothing', meet: (_call, _times, doIt) => doIt() },
  ...['ENOTEMPTY', 'EBUSY', 'EPERM', 'EACCES'].map((code) => failing(code, false)),
  failing('ENOTEMPTY', true),
  failing('EIO', true),
  {
    name: 'killed before',
    meet: async () => {
      throw new Killed();
    },
  },
  {
    name: 'killed after',
    async meet(_call, _times, doIt) {
      await doIt();
      throw new Killed();
    },
  },
  {
    // An interpreter of the old environment that writes bytecode creates the folders on the path.
    name: 'bytecode written to the old place',
    async meet(_call, times, doIt, dir) {
      const cache = join(venvDir(notebookFolder(dir)), 'lib/python3.13/site-packages/apple/__pycache__');
      if (times === 0) await mkdir(cache, { recursive: true });
      await doIt();
    },
  },
];

/** A disk that applies `fault` to the operation with this number, and counts. A killed process does nothing more. */
function faultyDisk(dir: string, fault: Fault | undefined, at: number) {
  const working = new Set<Promise<unknown>>();
  const times = new Map<string, number>();
  let calls = 0;
  let victim: string | null = null;
  let isDead = false;
  const call = (name: string, doIt: () => Promise<void>): Promise<void> => {
    const work = (async () => {
      if (isDead) throw new Killed();
      calls += 1;
      if (calls - 1 === at) victim = name;
      if (fault === undefined || name !== victim) return doIt();
      const before = times.get(name) ?? 0;
      times.set(name, before + 1);
      await fault.meet(name, before, doIt, dir).catch((error: unknown) => {
        isDead ||= error instanceof Killed;
        throw error;
      });
    })();
    working.add(work.catch(() => undefined));
    return work;
  };
  // A folder to delete gets a random name, which is normalized here.
  const plain = (path: string): string => path.replace(/[0-9a-f]{8}-gone/, 'gone').slice(dir.length);
  const disk: SwapDisk = {
    rename: (from, to) => call(`${plain(from)} -> ${plain(to)}`, () => SWAP_DISK.rename(from, to)),
    remove: (path) => call(`rm ${plain(path)}`, () => SWAP_DISK.remove(path)),
    wait: async () => undefined,
  };
  const idle = async (): Promise<void> => {
    for (let waiting = -1; waiting !== working.size; ) {
      waiting = working.size;
      await Promise.all(working);
    }
  };
  return { disk, idle, calls: () => calls, isDead: () => isDead };
}

let count = 0;

/** A notebook with or without an old environment, and the new one complete beside it. */
async function prepare(hasOld: boolean): Promise<string> {
  count += 1;
  const dir = notebookFolder(join(root, `n${count}`));
  await mkdir(dir);
  await writeProjectFiles(dir, BEFORE);
  if (hasOld) await environment(venvDir(dir), 'old', BEFORE);
  await markSyncStarted(dir, BEFORE, { isEdit: true, after: AFTER });
  await writeProjectFiles(dir, AFTER);
  await environment(stagedVenv(dir, ID), ID, AFTER);
  return dir;
}

/** What a job does after the new environment is built. */
async function finishJob(dir: NotebookFolder, disk: SwapDisk, doesStart: boolean): Promise<string | null> {
  const problem = await replaceVenv(dir, ID, { disk, starts: async () => doesStart });
  if (problem !== null) {
    if (problem.includes('Killed')) throw new Killed();
    await rollBackVenv({ dir, id: ID }, () => undoEdit(dir, { before: BEFORE, after: AFTER }), disk);
  }
  await markSyncEnded(dir);
  return problem;
}

/** The id of the environment in place, which must be complete and made from the current files. */
async function inPlace(dir: NotebookFolder): Promise<string | null> {
  const marker = await readMarker(venvDir(dir));
  const files = await readProjectFiles(dir);
  if (marker === null) {
    expect(files).toEqual(BEFORE);
    return null;
  }
  expect(await hasInterpreter(venvDir(dir)), 'it has an interpreter').toBe(true);
  expect(isMadeFrom(marker, files), `${marker.id} is made from the files`).toBe(true);
  return marker.id;
}

const WORLDS = [
  { world: 'a new environment that starts', hasOld: true, doesStart: true },
  { world: 'a new environment that does not start', hasOld: true, doesStart: false },
  { world: 'the first environment', hasOld: false, doesStart: true },
  { world: 'a first environment that does not start', hasOld: false, doesStart: false },
];

test.each(WORLDS.flatMap((world) => FAULTS.map((fault) => ({ ...world, fault, name: fault.name }))))(
  '[SO-230] $world, $name at any call: the environment is complete and matches the files',
  async ({ hasOld, doesStart, fault }) => {
    let calls = 1;
    for (let at = 0; at < calls; at += 1) {
      const dir = notebookFolder(await prepare(hasOld));
      const faulty = faultyDisk(dir, fault, at);
      const outcome = await finishJob(dir, faulty.disk, doesStart).catch((error: unknown) => error);
      await faulty.idle();
      if (at === 0) calls = Math.max(1, faulty.calls());
      calls = Math.max(calls, faulty.calls());
      const where = `call ${at} of ${calls}: ${String(outcome)}`;
      const before = hasOld ? 'old' : null;
      // After a job that ended, it is complete now; after a failure or a kill, the next open repairs it.
      if (outcome === null) expect(await inPlace(dir), where).toBe(ID);
      else if (typeof outcome === 'string') expect([before, ID], where).toContain(await inPlace(dir));
      // A temporary error changes nothing.
      if (!/killed|every time/.test(fault.name)) {
        expect(outcome === null, where).toBe(doesStart);
        expect(await inPlace(dir), where).toBe(doesStart ? ID : before);
      }
      await recoverEnvironment(dir);
      expect([before, ID], where).toContain(await inPlace(dir));
      expect(await readdir(join(dir, '.svc')), where).toEqual([]);
    }
  },
);
