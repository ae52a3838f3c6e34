/**
 * Edits, runs and reopens random notebooks at random on built servers, which are killed at random. After every step,
 * each cell that is shown as current must show what a fresh interpreter prints for the same sources and files, or have
 * a warning.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LifeServer, startLifeServer } from './lives/lifeServer.ts';
import { playLife } from './lives/playLife.ts';
import { shrunk } from './lives/shrink.ts';
import { type Story, storyOf } from './lives/story.ts';
import { type PlainInterpreter, startPlainInterpreter } from './plain/plainInterpreter.ts';

/** LIFE_SEED=17 LIVES=1 repeats the story of a printed seed. LIVES_SECONDS: for how long new stories are started. */

const LONG = process.env['LONG'] === '1';
const FIRST = Number(process.env['LIFE_SEED'] ?? (LONG ? 100_000 : 1));
/** A normal run uses the same seeds on every machine that is fast enough. */
const MOST = Number(process.env['LIVES'] ?? (LONG ? 1_000_000 : 3));
const SECONDS = Number(process.env['LIVES_SECONDS'] ?? (LONG ? 3_600 : 60));
const FAULTS_PRINTED = 5;

let root = '';
let plain: PlainInterpreter;
const servers: LifeServer[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-lives-'));
  plain = startPlainInterpreter(['numpy', 'pandas', 'json', 'asyncio', 'random']);
  const count = Math.min(MOST, availableParallelism() + 1);
  const starts = Array.from({ length: count }, (_, at) => startLifeServer(join(root, `server${at}`)));
  servers.push(...(await Promise.all(starts)));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await plain.close();
  await rm(root, { recursive: true, force: true });
});

/** The fault in the story of a seed, with the smallest story that shows it; null if there is none. */
async function faultOfLife(server: LifeServer, seed: number): Promise<string | null> {
  const play = (story: Story): Promise<string | null> =>
    playLife(server, plain, story).catch((error: unknown) => String(error));
  const story = storyOf(seed);
  const fault = await play(story);
  if (fault === null) return null;
  const small = await shrunk(story, async (smaller) => (await play(smaller)) !== null);
  const again = (await play(small)) ?? 'does not fail again';
  return `seed ${seed}: ${fault}\n${JSON.stringify(story)}\nsmaller: ${again}\n${JSON.stringify(small, null, 1)}`;
}

describe('[SO-251] random notebooks after random steps', () => {
  it(
    `show what a fresh interpreter prints, from seed ${FIRST} on`,
    async () => {
      const until = performance.now() + SECONDS * 1_000;
      const faults: string[] = [];
      let next = FIRST;
      let count = 0;
      const work = async (server: LifeServer): Promise<void> => {
        while (performance.now() < until && next < FIRST + MOST && faults.length < FAULTS_PRINTED) {
          const seed = next;
          next += 1;
          const fault = await faultOfLife(server, seed);
          count += 1;
          if (fault === null) continue;
          faults.push(fault);
          process.stdout.write(`${fault}\n`);
        }
      };
      await Promise.all(servers.map(work));
      process.stdout.write(`Lives: ${count}, seeds ${FIRST} to ${next - 1}\n`);
      expect(faults.join('\n\n')).toBe('');
    },
    (SECONDS + 600) * 1_000,
  );
});
