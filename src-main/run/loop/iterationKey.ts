/** Computes the keys that an iteration of a loop is stored under, from the value carried into it. */

import { createHash, randomUUID } from 'node:crypto';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { provenanceLine } from '../../mount/dataItem.ts';
import { subkey } from '../provenance.ts';
import { cutOffDigest } from '../shared/pinned.ts';
import type { LoopRequest } from '../step.ts';

/** The keys one iteration is stored under. */
export interface IterationKey {
  /** The key of docs/spec/provenance-and-cache.md, 1: source, bytes carried in, number. */
  readonly provenanceHash: string;
  /**
   * Covers all inputs of the iteration by content: decides whether a finished iteration can be reused. The
   * key above leaves out the inputs other than the carry, and would match an iteration made from other
   * inputs.
   */
  readonly contentKey: string;
}

/** Keys of a loop's iterations, by the value carried into each. */
export function iterationKeys(request: LoopRequest) {
  const { loop } = request;
  const others = request.inputs
    .filter(({ variable }) => variable !== loop.carry)
    .map(
      ({ variable, variant, row }) =>
        `${variantLabel(variable, variant)}=${row === null ? 'absent' : bytesOf(row)}`,
    )
    .sort();
  const outside = request.data
    .map(({ item, fact }) => provenanceLine(item, fact ?? undefined, randomUUID()))
    .sort();
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
