/** Tests the order in which test files start: `e2e/support/longestFirst.ts` with the lists of `longestFiles.ts`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { LONGEST_PROCESS_TESTS, LONGEST_UNIT_TESTS } from '../support/longestFiles.ts';
import { longestFirst } from '../support/longestFirst.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

it.each([
  ['unit', LONGEST_UNIT_TESTS],
  ['process', LONGEST_PROCESS_TESTS],
])('[AR-57] the files listed as longest exist: %s tests', (_kind, names) => {
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !existsSync(join(PROJECT_ROOT, `${name}.test.ts`)))).toEqual([]);
});

it('[AR-57] the longest files start first, in the order of the list, and the files of a project stay together', async () => {
  const config = { isolate: false, sequence: { groupOrder: 0 }, root: PROJECT_ROOT };
  const file = (project: string, name: string) =>
    ({
      moduleId: `${PROJECT_ROOT}/${name}.test.ts`,
      project: { name: project, config },
    }) as unknown as TestSpecification;
  const cache = { getFileTestResults: () => undefined, getFileStats: () => undefined };
  const Sequencer = longestFirst(['src/slow', 'src/slower']);
  const sequencer = new Sequencer({ cache, config, vitenode: undefined } as unknown as Vitest);
  const files = [
    file('components', 'src/quick'),
    file('components', 'src/slow'),
    file('unit', 'src/other'),
    file('unit', 'src/slower'),
  ];
  const sorted = await sequencer.sort(files);
  expect(sorted.map(({ project, moduleId }) => [project.name, moduleId.split('/').at(-1)])).toEqual([
    ['components', 'slow.test.ts'],
    ['components', 'quick.test.ts'],
    ['unit', 'slower.test.ts'],
    ['unit', 'other.test.ts'],
  ]);
});
