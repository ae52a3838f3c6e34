/** What `npm test` does after a stage that failed: `scripts/lib/runStages.mjs`. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly (readonly string[])[];
  readonly broken?: readonly (readonly string[])[];
}

interface Stage {
  readonly name: string;
  readonly after?: readonly string[];
  readonly run: () => Promise<Counts>;
}

interface Script {
  sideBySide(stages: readonly Stage[]): Promise<readonly (Counts & { readonly name: string })[]>;
}

const path = pathToFileURL(join(PROJECT_ROOT, 'scripts/lib/runStages.mjs')).href;
const { sideBySide } = (await import(path)) as Script;

afterEach(() => {
  vi.restoreAllMocks();
});

it('[AR-58] a stage does not run if a stage that it needs failed, and counts as a failure', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const ran: string[] = [];
  const stage = (name: string, failed: number, after: readonly string[] = []): Stage => ({
    name,
    after,
    run: async () => {
      ran.push(name);
      return { passed: 1, failed, skipped: [] };
    },
  });
  const results = await sideBySide([
    stage('self-test a', 0),
    stage('self-test b', 2),
    stage('self-test c', 0, ['self-test a']),
    stage('self-test d', 0, ['self-test a', 'self-test b']),
    stage('self-test e', 0, ['self-test d']),
  ]);
  expect(ran.sort()).toEqual(['self-test a', 'self-test b', 'self-test c']);
  expect(results.map(({ name, failed, broken }) => [name, failed, broken?.[0]?.[1]])).toEqual([
    ['self-test a', 0, undefined],
    ['self-test b', 2, undefined],
    ['self-test c', 0, undefined],
    ['self-test d', 1, 'not run, because self-test b failed'],
    ['self-test e', 1, 'not run, because self-test d failed'],
  ]);
});
