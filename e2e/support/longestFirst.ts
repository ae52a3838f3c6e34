import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * A sequencer of vitest that first starts the files that take longest. Otherwise one core could run such a file at the
 * end for more than a minute while the other core has nothing to do.
 * @param names paths from the project's root without `.test.ts`, longest first; other files follow in vitest's order
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
      // A worker ends when the next file belongs to another project, and a new one must load everything again.
      const place = ({ project }: TestSpecification): number => projects.indexOf(project.name);
      return sorted.toSorted((one, other) => place(one) - place(other) || rank(one) - rank(other));
    }
  };
}
