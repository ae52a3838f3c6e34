/**
 * A build server in a child process is killed at each step of a build; a second server on the same folder
 * must finish what the worker sends again.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BUNDLE_FORMAT } from '../../src-shared/wire/worker/protocol.ts';
import type { PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import { ownerMayLive, ownerName } from '../artifacts/blobFolder.ts';
import { createStoredBuilds } from '../artifacts/storedBuilds.ts';
import { createBuilds } from './builds.ts';

const CHILD = fileURLToPath(new URL('./testing/buildChild.ts', import.meta.url));
const LONG = process.env['LONG'] === '1';
const POINTS = [
  'before save 1',
  'after save 1',
  'while it is uploaded',
  'uploaded',
  'while it is read',
  'before save 2',
  'after save 2',
  'finalized',
] as const;
/** The most critical points; LONG tries all of them. */
const TRIED = LONG ? POINTS : POINTS.filter((point) => /^while|^after/.test(point));
const WHOLE = Array.from({ length: 8 }, (_, at) => String(at).repeat(10_000)).join('');
const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams);

/** @returns what it printed before it was killed */
async function killedAt(dir: string, point: string, chunk: number): Promise<ReadonlyMap<string, unknown>> {
  const child = spawn(process.execPath, [CHILD, dir, point, String(chunk)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)));
  expect(signal, `${point}: ${printed}`).toBe('SIGKILL');
  const lines = printed.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => [line.split(' ')[0] ?? '', JSON.parse(line.slice(line.indexOf(' '))) as unknown]),
  );
}

/** Repeats the steps of a worker that received no response: the current step, and those after it. */
async function carryOn(dir: string, printed: ReadonlyMap<string, unknown>): Promise<void> {
  const builds = createBuilds({
    secret: null,
    expirySeconds: 600,
    maxOutputBytes: 1e6,
    buildStore: {
      rows: createStoredBuilds(dir),
      dir: join(dir, 'builds'),
      owner: ownerName(process.pid),
      ownerMayLive,
      zombieSeconds: 3600,
      check: async (file) => expect(await readFile(file, 'utf8')).toBe(WHOLE),
      onProblem: (message) => expect.fail(message),
    },
  });
  const manifest = printed.get('started') as PullRequestInput | undefined; // the message of the child
  try {
    if (manifest === undefined) return expect(await readdir(dir).catch(() => [])).not.toContain('builds');
    const id = manifest.build_id ?? '';
    const { state } = (await builds.status(id)) ?? { state: 'unknown' };
    if (printed.has('finalized')) expect(state).toBe('ready');
    if (!printed.has('uploaded')) {
      expect(state).toBe('building');
      await builds.upload(queryOf(manifest.output.url), {
        stream: Readable.from([WHOLE]),
        declaredBytes: null,
      });
    }
    const answer = await builds.finalize(id, queryOf(manifest.finalize_url), {
      output_format: BUNDLE_FORMAT,
    });
    expect(answer).toMatchObject({ status: 'finalized', byte_size: WHOLE.length });
    if (printed.has('finalized')) expect(answer).toEqual(printed.get('finalized'));
    const left = await builds.left(id);
    expect([await left?.ended, await readFile(left?.file ?? '', 'utf8')]).toEqual([
      { state: 'ready' },
      WHOLE,
    ]);
    await left?.release();
    expect(await readdir(join(dir, 'builds'))).toEqual([]);
  } finally {
    await builds.close();
  }
}

const rounds = LONG ? 40 : 1;
test(`[CR-4] [BU-16] after a build server is killed at any point the worker continues with the next server (${rounds} of each)`, {
  timeout: rounds * 240_000,
}, async () => {
  const root = await mkdtemp(join(tmpdir(), 'build-kill-'));
  try {
    const one = async (point: string, round: number): Promise<void> => {
      const dir = join(root, `${POINTS.indexOf(point as (typeof POINTS)[number])}-${round}`);
      await carryOn(dir, await killedAt(dir, point, round % 8));
    };
    for (let round = 0; round < rounds; round += 1) {
      for (let at = 0; at < TRIED.length; at += 2) {
        await Promise.all(TRIED.slice(at, at + 2).map((point) => one(point, round + at)));
      }
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
