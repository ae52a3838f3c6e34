import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * A sequencer of vitest that starts the files that take longest first. Left to chance they stood at the end, where one core
 * ran one of them alone for more than a minute and the other had nothing left to do.
 * @param names paths from the project's root without `.test.ts`, longest first; the other files follow in vitest's own order
 */
export function longestFirst(names: readonly string[]): TestSequencerConstructor {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      const projects = [...new Set(sorted.map(({ project }) => project.name))];
      const rank = ({ moduleId }: TestSpecification): number => {
        const at = names.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
        return at === -1 ? names.length : at;
      };
      // A worker ends when the next file is of another project, and what it has read is read again.
      const place = ({ project }: TestSpecification): number => projects.indexOf(project.name);
      return sorted.toSorted((one, other) => place(one) - place(other) || rank(one) - rank(other));
    }
  };
}
