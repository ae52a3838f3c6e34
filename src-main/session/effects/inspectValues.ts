/** Finds the stored values that a console inside a cell loads, and says which of them are missing. */

import type { HarnessInput } from '../../../src-shared/wire/harness.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { harnessInput } from '../../run/shared/harnessInput.ts';
import { withVariant } from '../../run/stepInputs.ts';
import type { InspectOpening } from '../state/inspectOpening.ts';

/** The files a console reads its values from, and why some are missing. */
export interface InspectValues {
  readonly inputs: Readonly<Record<string, HarnessInput>>;
  readonly lost: Readonly<Record<string, string>>;
}

/** Display types that can be loaded again; pictures and pages cannot. */
const READ_BACK = new Set([
  'arrow/ipc',
  'json/object',
  'pickle/object',
  'text/markdown',
  'module/cell-instance',
]);

/** Values whose bytes are no longer in the store are reported by name; the others are still provided. */
export async function readInspectValues(
  store: ArtifactStore,
  opening: InspectOpening,
): Promise<InspectValues> {
  const inputs: Record<string, HarnessInput> = {};
  const lostReasons: Record<string, string> = {};
  for (const { variable, variant, row } of opening.values) {
    if (row === null) continue;
    const file = await harnessInput(store, row);
    if (file.kind === 'lost') lostReasons[variable] = `${file.message} Run the cell that creates it again.`;
    else if (variant === null) inputs[variable] = file.input;
    else inputs[variable] = withVariant(inputs[variable], { name: variant, file: file.input });
  }
  const display = opening.lastDisplay === null ? null : store.rowByUri(opening.lastDisplay);
  if (display !== null && READ_BACK.has(display.contentType)) {
    const file = await harnessInput(store, display);
    if (file.kind === 'ready') inputs['_'] = file.input;
  }
  return { inputs, lost: lostReasons };
}
