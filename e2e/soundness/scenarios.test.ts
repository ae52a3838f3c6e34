/**
 * Edits, runs and reopens random notebooks at random on built servers, which are killed at random. After every step,
 * each cell that is shown as current must show what a fresh interpreter prints for the same sources and files, or have
 * a warning.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlainInterpreter, startPlainInterpreter } from './plain/plainInterpreter.ts';
import { type KillableServer, startKillableServer } from './scenarios/killableServer.ts';
import { runScenario } from './scenarios/runScenario.ts';
import { type Scenario, scenarioOf } from './scenarios/scenario.ts';
import { shrunk } from './scenarios/shrink.ts';

/**
 * SCENARIO_SEED=17 SCENARIOS=1 repeats the scenario of a printed seed. SCENARIO_SECONDS: for how long new scenarios are
 * started.
 */

const LONG = process.env['LONG'] === '1';
const FIRST = Number(process.env['SCENARIO_SEED'] ?? (LONG ? 100_000 : 1));
/** A normal run uses the same seeds on every machine that is fast enough. */
const MOST = Number(process.env['SCENARIOS'] ?? (LONG ? 1_000_000 : 3));
const SECONDS = Number(process.env['SCENARIO_SECONDS'] ?? (LONG ? 3_600 : 60));
const FAULTS_PRINTED = 5;

let root = '';
let plain: PlainInterpreter;
const servers: KillableServer[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-scenarios-'));
  plain = startPlainInterpreter(['numpy', 'pandas', 'json', 'asyncio', 'random']);
  const count = Math.min(MOST, availableParallelism() + 1);
  const starts = Array.from({ length: count }, (_, at) => startKillableServer(join(root, `server${at}`)));
  servers.push(...(await Promise.all(starts)));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await plain.close();
  await rm(root, { recursive: true, force: true });
});

/** The fault in the scenario of a seed, with the smallest scenario that shows it; null if there is none. */
async function faultOfSeed(server: KillableServer, seed: number): Promise<string | null> {
  const play = (scenario: Scenario): Promise<string | null> =>
    runScenario(server, plain, scenario).catch((error: unknown) => String(error));
  const scenario = scenarioOf(seed);
  const fault = await play(scenario);
  if (fault === null) return null;
  const small = await shrunk(scenario, async (smaller) => (await play(smaller)) !== null);
  const again = (await play(small)) ?? 'does not fail again';
  return `seed ${seed}: ${fault}\n${JSON.stringify(scenario)}\nsmaller: ${again}\n${JSON.stringify(small, null, 1)}`;
}

describe('[SO-251] random notebooks after random steps', () => {
  it(
    `show what a fresh interpreter prints, from seed ${FIRST} on`,
    async () => {
      const until = performance.now() + SECONDS * 1_000;
      const faults: string[] = [];
      let next = FIRST;
      let count = 0;
      const work = async (server: KillableServer): Promise<void> => {
        while (performance.now() < until && next < FIRST + MOST && faults.length < FAULTS_PRINTED) {
          const seed = next;
          next += 1;
          const fault = await faultOfSeed(server, seed);
          count += 1;
          if (fault === null) continue;
          faults.push(fault);
          process.stdout.write(`${fault}\n`);
        }
      };
      await Promise.all(servers.map(work));
      process.stdout.write(`Scenarios: ${count}, seeds ${FIRST} to ${next - 1}\n`);
      expect(faults.join('\n\n')).toBe('');
    },
    (SECONDS + 600) * 1_000,
  );
});
