import { createHash, randomUUID } from 'node:crypto';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { lineOf } from '../../mount/want.ts';
import { subkey } from '../provenance.ts';
import { cutOffDigest } from '../shared/pinned.ts';
import type { LoopStep, StepRequest } from '../step.ts';

/** What one iteration is kept under. */
export interface IterationKey {
  /** The one of provenance-and-cache 1: source, bytes carried in, number. */
  readonly provenanceHash: string;
  /**
   * Whether a finished iteration answers: all that made it, by content. The key above leaves out what the cell reads
   * besides its carry, and would answer with an iteration made from other inputs.
   */
  readonly contentKey: string;
}

/** Keys of a loop's iterations, by what is carried into each. */
export function iterationKeys(request: StepRequest, loop: LoopStep) {
  const others = request.inputs
    .filter(({ variable }) => variable !== loop.carry)
    .map(
      ({ variable, variant, row }) =>
        `${variantLabel(variable, variant)}=${row === null ? 'absent' : bytesOf(row)}`,
    )
    .sort();
  const outside = request.data.map(({ want, fact }) => lineOf(want, fact ?? undefined, randomUUID())).sort();
  const modules = request.facts.modules.map(({ path, digest }) => `module:${path}:${digest}`);
  const same = [loop.iterationHash, request.envHash, ...others, '', ...outside, ...modules].join('\0');
  return (carryIn: ArtifactRow, iteration: number): IterationKey => ({
    provenanceHash: subkey(request.sourceHash, carryIn.contentSha256, `iter=${iteration}`),
    contentKey: createHash('sha256')
      .update(`iteration\0${iteration}\0${bytesOf(carryIn)}\0${same}`)
      .digest('hex'),
  });
}

function bytesOf(row: ArtifactRow): string {
  return `${row.contentType}:${cutOffDigest(row)}`;
}
