import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that take longest, longest first. Left to chance they stood at the end, where one core ran the kills alone for
 * more than a minute and the other had nothing left to do.
 */
const LONGEST = [
  'soundness/soundness',
  'soundness/lives',
  'crash/publishKill',
  'crash/loopKill',
  'contract/reattach',
  'contract/objectStores',
  'contract/rEnvironment',
  'contract/everyLanguage',
  'crash/shownKill',
  'contract/analysedNames',
  'contract/forwardNames',
  'contract/rCells',
  'hostile/guardedFolder',
  'contract/cellTests',
  'contract/setupCell',
  'contract/parallel',
  'contract/rLoops',
  'contract/cli',
  'contract/sshWorkers',
  'contract/schemathesis',
  'contract/transfer',
  'faults/environment',
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
 * Tests that start the built program, three files at a time: each brings a server and folders of its own, and much of
 * their time goes into waiting for processes.
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
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // They end what hangs; a machine that is busy for a while fails nothing by it. No test has a shorter one of its own.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Vitest gives up after one second, which a loaded machine needs for less.
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
