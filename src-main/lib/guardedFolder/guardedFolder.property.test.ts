/**
 * Random operations of the guarded folder while a thread swaps folders for links: nothing outside the folder
 * may be read or changed.
 */

import {
  closeSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errnoOf } from '../atomicFile.ts';
import {
  makeFolderAt,
  moveTo,
  removeDurably,
  removeFile,
  removeSmallFolder,
  removeTree,
  setAside,
  sweepTemps,
} from './names.ts';
import { openFolder } from './openFolder.ts';
import { type Place, placeIn } from './place.ts';
import { insidePlace, listFolder, lstatAt, readFileAt, readFileAtSync } from './read.ts';
import {
  copyTo,
  createFile,
  hasContent,
  openInPlace,
  removeIfUnchanged,
  replaceFile,
  replaceFileSync,
  setMode,
  unshareFile,
  writeNew,
  writeOver,
} from './replace.ts';

const LONG = process.env['LONG'] === '1';
const OPERATIONS = LONG ? 100_000 : 4_000;
const SEED = Number(process.env['SEED'] ?? (LONG ? Date.now() % 1_000_000 : 20_261_125));
const SECRET = 'the person’s own';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-property-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function makeVictim(victim: string): void {
  for (const folder of ['', 'sub', 'sub/deep']) {
    mkdirSync(join(victim, folder), { recursive: true });
    for (const name of NAMES) writeFileSync(join(victim, folder, `${name}.txt`), SECRET);
    for (const name of NAMES) if (folder !== '') writeFileSync(join(victim, folder, name), SECRET);
  }
}

/** Names, permissions, inodes, times of change, bytes and link targets of all files in a folder. */
function treeOf(top: string): readonly string[] {
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const stats = lstatSync(join(top, name), { bigint: true });
      const bytes = stats.isFile() ? readFileSync(join(top, name), 'utf8') : '';
      const to = stats.isSymbolicLink() ? readlinkSync(join(top, name)) : '';
      return [name, stats.mode, stats.ino, stats.mtimeNs, stats.nlink, bytes, to].join(' ');
    });
}

const NAMES = ['a', 'b', 'c'];
const TOPS = ['', '.svc/'];

const ACTIONS: readonly ((place: Place, other: Place, random: (below: number) => number) => unknown)[] = [
  (place) => readFileAt(place),
  (place) => readFileAtSync(place),
  (place) => readFileAt(insidePlace(place)),
  (place) => replaceFile(place, 'own', { flush: false }),
  (place) => replaceFile(insidePlace(place), 'own', { flush: false }),
  (place) => replaceFile(place, 'own', { flush: false, expected: Buffer.from(SECRET), mode: 0o777 }),
  (place) => replaceFileSync(place, 'own', { mode: 0o666 }),
  (place) => writeOver(place, 'own'),
  (place) => writeNew(place, 'own'),
  (place) => closeSync(createFile(place, { over: true })),
  (place) => {
    const file = openInPlace(place);
    writeSync(file, 'own');
    closeSync(file);
  },
  (place) => unshareFile(place),
  (place) => setMode(place, 0o600),
  (place) => makeFolderAt(place),
  (place) => removeFile(place),
  (place) => removeDurably(place),
  (place) => removeTree(place),
  (place) => removeSmallFolder(place, NAMES),
  (place) => removeIfUnchanged(place, Buffer.from(SECRET)),
  (place) => setAside(place),
  (place) => sweepTemps(place, { nowMs: Number.MAX_SAFE_INTEGER }),
  (place) => hasContent(place, Buffer.from(SECRET)),
  (place) => lstatAt(place),
  (place) => listFolder(place).map(({ name }) => (name.endsWith('.txt') ? SECRET : name)),
  (place, other) => moveTo(place, other),
  (place, other) => copyTo(place, other),
];

function randomPlace(root: string, random: (below: number) => number): Place {
  const depth = 1 + random(3);
  const names = Array.from({ length: depth }, () => NAMES[random(NAMES.length)] ?? 'a');
  return placeIn(root, `${TOPS[random(TOPS.length)]}${names.join('/')}`);
}

/**
 * Creates a link somewhere in the tree, to a target inside or outside of it; its own path contains no link.
 */
function addLink(
  root: string,
  { victim, random }: { readonly victim: string; readonly random: (below: number) => number },
): void {
  const { names } = randomPlace(root, random);
  const targets = [
    victim,
    join(victim, 'sub'),
    join(victim, 'sub/a'),
    join(victim, 'missing'),
    '../a',
    '../../victim/sub',
    '/',
  ];
  try {
    const folder = openFolder(root, names.slice(0, -1));
    try {
      symlinkSync(targets[random(targets.length)] ?? '', folder.at(names.at(-1) ?? ''));
    } finally {
      folder.close();
    }
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
}

test(`[SG-10] ${OPERATIONS} operations while links are created and removed touch and reveal nothing outside (seed ${SEED})`, {
  timeout: OPERATIONS * 100,
}, async () => {
  const random = randomOf(SEED);
  const [root, victim] = [join(dir, 'root'), join(dir, 'victim')];
  mkdirSync(join(root, '.svc'), { recursive: true });
  makeVictim(victim);
  const before = treeOf(victim);
  const stop = new Int32Array(new SharedArrayBuffer(8));
  const names = ['a', 'b', '.svc/a', '.svc/b', '.svc'];
  const swapper = new Worker(new URL('./testing/testSwapThread.ts', import.meta.url), {
    workerData: { root, victim, names, stop },
  });
  const exitCode = new Promise<number>((resolve, reject) => {
    swapper.once('exit', resolve);
    swapper.once('error', reject);
  });
  let done = 0;
  let refused = 0;
  try {
    for (let at = 0; at < OPERATIONS; at += 1) {
      if (random(4) === 0) addLink(root, { victim, random });
      const act = ACTIONS[random(ACTIONS.length)];
      try {
        const answer = await act?.(randomPlace(root, random), randomPlace(root, random), random);
        done += 1;
        const text = Buffer.isBuffer(answer) ? answer.toString() : Array.isArray(answer) ? answer.join() : '';
        expect(text, `operation ${at}`).not.toContain(SECRET);
      } catch (error) {
        if (errnoOf(error) === null) throw error;
        refused += 1;
      }
      if (at % 500 === 0) expect(treeOf(victim), `operation ${at}`).toEqual(before);
    }
  } finally {
    Atomics.store(stop, 0, 1);
  }
  expect(await exitCode).toBe(0);
  expect(treeOf(victim)).toEqual(before);
  // Links blocked some operations but not all, and folders were swapped in the meantime.
  expect([done > OPERATIONS / 20, refused > OPERATIONS / 20, Atomics.load(stop, 1) > 0]).toEqual([
    true,
    true,
    true,
  ]);
});
