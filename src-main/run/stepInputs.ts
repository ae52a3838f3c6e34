/** Reads the stored inputs of a step as files for the cell's process. */

import type { HarnessInput } from '../../src-shared/wire/harness.ts';
import type { ArtifactStore } from '../artifacts/artifact.ts';
import type { InputFiles } from './execRequest.ts';
import { harnessInput } from './shared/harnessInput.ts';
import type { StepInput } from './step.ts';

type Inputs =
  | { readonly kind: 'ready'; readonly files: InputFiles }
  | { readonly kind: 'lost'; readonly input: StepInput; readonly uri: string; readonly message: string };

/** The files of a step's inputs for its process; `lost` if the bytes of one are missing. */
export async function readableInputs(store: ArtifactStore, inputs: readonly StepInput[]): Promise<Inputs> {
  const files: Record<string, HarnessInput> = {};
  for (const input of inputs) {
    if (input.row === null) continue;
    const stored = await harnessInput(store, input.row);
    if (stored.kind === 'lost') return { kind: 'lost', input, uri: stored.uri, message: stored.message };
    const file = stored.input;
    files[input.variable] =
      input.variant === null ? file : withVariant(files[input.variable], { name: input.variant, file });
  }
  return { kind: 'ready', files };
}

/** The dict of the variants so far, plus one. */
export function withVariant(
  before: HarnessInput | undefined,
  { name, file }: { readonly name: string; readonly file: Extract<HarnessInput, { file: string }> },
): HarnessInput {
  const variants = before !== undefined && 'variants' in before ? before.variants : {};
  return { kind: 'sweep_dict', variants: { ...variants, [name]: file } };
}

/** The outcome of a step whose input has lost its bytes. */
export function lostInput({ input, uri, message }: Extract<Inputs, { kind: 'lost' }>) {
  return { kind: 'input_lost', producerId: input.producerId, uri, message } as const;
}
