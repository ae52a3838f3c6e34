/** Stores the results of one iteration of a loop: the value it carries on, its displays and its output. */

import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import { iterationLabel } from '../../../src-shared/notebook/loop.ts';
import { isOutputFailure, type OutputMeta } from '../../../src-shared/wire/harness.ts';
import type { ArtifactStore, NewArtifact } from '../../artifacts/artifact.ts';
import { CONSOLE_LABEL, displayLabel } from '../cache.ts';
import { outputOf, recordedOutput } from '../displays.ts';
import { commonParams, fileBlob, inputVersionsOf, type Publication, variableOf } from '../publish.ts';
import { pinParams } from '../shared/pinned.ts';
import { pinsOfInputs } from '../shared/pinSharedCode.ts';
import type { LoopRequest } from '../step.ts';
import type { IterationKey } from './iterationKey.ts';

interface IterationPublication extends Omit<Publication, 'alongside'> {
  readonly request: LoopRequest;
  readonly iteration: number;
  readonly key: IterationKey;
  /** Names the run of the loop: rows with another name are leftovers. */
  readonly loopRun: string;
  readonly untilReached: boolean;
}

/** Why a successful iteration still fails: there is no carry for the next one, or for the loop's readers. */
export function carryProblem(publication: IterationPublication): string | null {
  const { carry } = publication.request.loop;
  const meta = variableOf(publication.result, carry);
  if (meta === undefined) {
    const why = carry.startsWith('_')
      ? `names that start with an underscore stay in their cell. Carry a name without one`
      : `it was deleted. Leave \`${carry}\` defined at the end of the cell`;
    return `Iteration ${publication.iteration} ended without its carry \`${carry}\`: ${why}.`;
  }
  if (isOutputFailure(meta)) {
    return `Iteration ${publication.iteration} cannot store its carry \`${carry}\` (${meta.type}): ${meta.error}`;
  }
  return meta.file === undefined ? `Iteration ${publication.iteration} left no file of \`${carry}\`.` : null;
}

/**
 * The stored parts of one iteration: the carry, its displays, and its output if any (docs/spec/analysis-and-graph.md,
 * 3.5; docs/spec/provenance-and-cache.md, 2). The cell's text is omitted: thousands of rows would each repeat it.
 */
export function iterationItems(
  store: ArtifactStore,
  publication: IterationPublication,
): readonly NewArtifact[] {
  const { request, result, iteration, key, console, outputDir } = publication;
  const { loop } = request;
  const displays = result.displays.filter((display): display is OutputMeta => !isOutputFailure(display));
  const printed = console.stdout !== '' || console.stderr !== '';
  const common: Record<string, string> = {
    ...commonParams(publication),
    ...publication.params,
    iteration: String(iteration),
    loop_run: publication.loopRun,
    until_reached: String(publication.untilReached),
    display_count: String(displays.length),
    ...(printed ? { printed: 'true' } : {}),
  };
  const inputVersions = { ...inputVersionsOf(request), ...publication.versions };
  const item = (
    label: string,
    meta: OutputMeta,
    more: Partial<Pick<NewArtifact, 'blob' | 'params'>> = {},
  ): NewArtifact => ({
    id: artifactIdOf(request.notebookId, request.cellId, iterationLabel(label, iteration)),
    ...key,
    contentType: meta.content_type,
    inputVersions,
    rowCount: meta.rows ?? null,
    schemaJson: meta.schema === undefined ? null : JSON.stringify(meta.schema),
    blob: fileBlob(outputDir, meta),
    ...more,
    params: { ...common, variable_name: label, content_type: meta.content_type, ...more.params },
  });
  const carryOutput = variableOf(result, loop.carry);
  if (carryOutput === undefined || isOutputFailure(carryOutput)) return [];
  const items = [item(loop.carry, carryOutput, { params: pinParams(pinsOfInputs(store, carryOutput)) })];
  for (const [index, meta] of displays.entries()) {
    const display = JSON.stringify(recordedOutput(outputOf(meta, null)));
    items.push(item(displayLabel(index), meta, { params: { display } }));
  }
  if (printed) {
    const bytes = Buffer.from(JSON.stringify(console));
    const meta: OutputMeta = { content_type: 'json/object', bytes: bytes.byteLength, preview: null };
    items.push(item(CONSOLE_LABEL, meta, { blob: { bytes } }));
  }
  return items;
}
