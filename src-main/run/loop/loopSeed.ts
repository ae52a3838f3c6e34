/** Finds the start value of a loop's first iteration among the cell's inputs. */

import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import { iterationLabel } from '../../../src-shared/notebook/loop.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import type { CodeRequest, LoopStep } from '../step.ts';

type Seed =
  | { readonly kind: 'row'; readonly row: ArtifactRow }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * The start value of the first iteration (docs/spec/analysis-and-graph.md, 3.5). Whether the cells fit together was
 * checked before.
 */
export function seedOf(
  store: ArtifactStore,
  request: Pick<CodeRequest, 'inputs' | 'notebookId'>,
  loop: LoopStep,
): Seed {
  const { carry, start } = loop;
  const input = request.inputs.find(({ variable }) => variable === carry);
  if (input !== undefined && input.variant !== null) {
    return refused(
      `\`${carry}\` has one value per variant, but a loop starts with a single value. Choose one above: \`${carry} = ${carry}["${input.variant}"]\`.`,
    );
  }
  const row = input?.row ?? null;
  if (start === null) {
    const message = `The loop has no initial value of \`${carry}\`, because it is not stored yet. Run the cell above that defines \`${carry}\`.`;
    return row === null ? refused(message) : { kind: 'row', row };
  }
  const { cellId, iteration } = start;
  if (row === null) return refused(`The loop ${cellId} to start from has no stored results. Run it first.`);
  const versions = store.versions(artifactIdOf(request.notebookId, cellId, iterationLabel(carry, iteration)));
  const match = versions.find((version) => version.params['loop_run'] === row.params['loop_run']);
  if (match !== undefined) return { kind: 'row', row: match };
  const count = Number(row.params['iterations'] ?? 0);
  const had = `the last run of ${cellId} had ${count === 1 ? 'one iteration, 0' : `${count} iterations, 0 to ${count - 1}`}`;
  if (versions.length === 0) return refused(`There is no iteration ${iteration} to start from: ${had}.`);
  return refused(
    `Iteration ${iteration} of ${cellId} is from an older run (${had}). Start from one of those, or run ${cellId} again.`,
  );
}

function refused(message: string): Seed {
  return { kind: 'refused', message };
}
