/**
 * Reads and writes the pins of shared code, which are the values that it needs, each at one version, and compares
 * shared code by digest.
 */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ArtifactRow } from '../../artifacts/artifact.ts';

/**
 * Recorded for a stored value whose code needs other values: the versions it was pinned to
 * (docs/spec/analysis-and-graph.md, 2), those that its own run stored, and a digest over code and values without names
 * or versions.
 */
const injectedParam = z.record(z.string(), z.object({ uri: z.string(), sha256: z.string() }));
export type InjectedValues = z.infer<typeof injectedParam>;

/** The values that stored code needs, pinned to versions, and a digest over all of them. */
export interface Pins {
  readonly injected: InjectedValues;
  /** Labels of the same run that contain some of these values. */
  readonly beside: readonly string[];
  /** See `cutOffDigest`; null if the digest of the stored bytes is sufficient. */
  readonly digest: string | null;
}

/** The params of a row that record its pins. */
export function pinParams(pins: Pins | undefined): Record<string, string> {
  if (pins === undefined) return {};
  const { injected, beside, digest } = pins;
  return {
    ...(Object.keys(injected).length === 0 ? {} : { injected: JSON.stringify(injected) }),
    ...(beside.length === 0 ? {} : { beside: JSON.stringify(beside) }),
    ...(digest === null ? {} : { code_digest: digest }),
  };
}

const NONE: InjectedValues = {};

/** The values the code in a row needs, by the key of each. */
export function injectedOf(row: ArtifactRow): InjectedValues {
  return parsed(injectedParam, row.params['injected']) ?? NONE;
}

const NO_LABELS: readonly string[] = [];
const labels = z.array(z.string());

/** The labels of other values that the run of a row stored for its code; the row is complete only with them. */
export function companionLabelsOf(row: ArtifactRow): readonly string[] {
  return parsed(labels, row.params['beside']) ?? NO_LABELS;
}

function parsed<T>(shape: z.ZodType<T>, text: string | undefined): T | null {
  if (text === undefined) return null;
  try {
    const value = shape.safeParse(JSON.parse(text));
    return value.success ? value.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The digest that decides whether a reader would get the same: of the stored bytes, except for code, whose
 * file also names the run that wrote it and the pinned versions. Used for the early cut-off.
 */
export function cutOffDigest(row: Pick<ArtifactRow, 'params' | 'contentSha256'>): string {
  return row.params['code_digest'] ?? row.contentSha256;
}

/** The cut-off digest of the stored value that a reader would get; null if none is stored. */
export function readDigest(row: ArtifactRow | null): string | null {
  return row === null ? null : cutOffDigest(row);
}

/** SHA-256 of a value as JSON, in hex. */
export function digestOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
