/** What `npm test` does after a stage that failed: `scripts/lib/runStages.mjs`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
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

afterEach(async () => {
  vi.restoreAllMocks();
  // The stages of these tests leave their output where real stages do.
  const reports = join(PROJECT_ROOT, '.cache/test-reports');
  const names = (await readdir(reports)).filter((name) => name.startsWith('self-test'));
  await Promise.all(names.map((name) => rm(join(reports, name), { recursive: true, force: true })));
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

it('[AR-58] after a signal no further stage starts', async () => {
  const lib = pathToFileURL(join(PROJECT_ROOT, 'scripts/lib')).href;
  const code = `
    const { run } = await import('${lib}/run.mjs');
    const { inTurn, report, sideBySide } = await import('${lib}/runStages.mjs');
    const stage = async () => {
      const code = await run(process.execPath, ['-e', 'console.log("ready"); setTimeout(() => {}, 240_000)']);
      return { passed: 0, failed: code === 0 ? 0 : 1, skipped: [] };
    };
    const never = async () => { console.log('started after the signal'); return { passed: 1, failed: 0, skipped: [] }; };
    const counts = await inTurn([['self-test first', stage], ['self-test second', never]]);
    counts.push(...(await sideBySide([{ name: 'self-test third', run: never }])));
    process.exitCode = report(counts);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    if (/^ready$/m.test(output) && !child.killed) child.kill('SIGTERM');
  });
  const [exitCode] = (await once(child, 'close')) as [number];
  expect(exitCode).toBe(1);
  expect(output).toContain('-- self-test second: not run, because the run was interrupted');
  expect(output).toContain('-- self-test third: not run, because the run was interrupted');
  expect(output).not.toContain('started after the signal');
});
