import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that take longest, longest first. Left to chance they stood at the end, where one core ran the kills alone for
 * more than a minute and the other had nothing left to do.
 */
const LONGEST = [
  'soundness/soundness',
  'contract/cellVerbs',
  'contract/sshWorkers',
  'crash/publishKill',
  'contract/cli',
  'faults/environment',
  'crash/loopKill',
  'contract/reattach',
  'contract/objectStores',
  'contract/routes',
  'contract/everyLanguage',
  'faults/unreadableCells',
  'contract/cellTestVerb',
  'crash/loopCutShort',
  'hostile/limits',
  'faults/environmentLoss',
  'contract/rEnvironment',
  'contract/analysedNames',
  'contract/sqlCells',
  'crash/shownKill',
  'soundness/lives',
  'faults/hostileClients',
  'contract/everyRoute',
  'contract/transferVerbs',
  'contract/relay',
  'contract/rCells',
  'faults/hostileFolders',
  'faults/badCells',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * Tests that start the built program, two files per core at a time: each brings a server and folders of its own, and half
 * of their time goes into waiting for processes.
 */
export default defineConfig({
  test: {
    include: [
      'e2e/faults/*.test.ts',
      'e2e/crash/*.test.ts',
      'e2e/contract/*.test.ts',
      'e2e/hostile/*.test.ts',
      'e2e/soundness/*.test.ts',
    ],
    setupFiles: ['e2e/support/propertySeed.ts'],
    globalSetup: ['e2e/support/preparedEnvironment.ts'],
    pool: 'threads',
    maxWorkers: 2 * availableParallelism(),
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // They end what hangs; a machine that is busy for a while fails nothing by it. No test has a shorter one of its own.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Vitest gives up after one second, which a loaded machine needs for less.
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
