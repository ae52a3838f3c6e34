import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ArtifactRow } from '../../artifacts/artifact.ts';

/**
 * What a stored value whose code needs other values records of them: which versions it was pinned to (semantics
 * 2.2), which of them its own run stored, and a digest that sees code and values but no names or versions.
 */
const injectedParam = z.record(z.string(), z.object({ uri: z.string(), sha256: z.string() }));
export type Injected = z.infer<typeof injectedParam>;

export interface Pins {
  readonly injected: Injected;
  /** Labels of the same run that hold some of these values. */
  readonly beside: readonly string[];
  /** See `cutOffDigest`; null where the stored bytes say it. */
  readonly digest: string | null;
}

export function pinParams(pins: Pins | undefined): Record<string, string> {
  if (pins === undefined) return {};
  const { injected, beside, digest } = pins;
  return {
    ...(Object.keys(injected).length === 0 ? {} : { injected: JSON.stringify(injected) }),
    ...(beside.length === 0 ? {} : { beside: JSON.stringify(beside) }),
    ...(digest === null ? {} : { code_digest: digest }),
  };
}

const NONE: Injected = {};

/** The values the code in a row needs, by the key it asks for them under. */
export function injectedOf(row: ArtifactRow): Injected {
  return parsed(injectedParam, row.params['injected']) ?? NONE;
}

const NO_LABELS: readonly string[] = [];
const labels = z.array(z.string());

/** What the run of a row stored for its sake: without these the row is no whole result. */
export function besideOf(row: ArtifactRow): readonly string[] {
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
 * The digest that says whether a reader would get the same: of the stored bytes, but for code, whose file also names
 * the run that wrote it and the versions it is pinned to (the early cut-off goes by this).
 */
export function cutOffDigest(row: Pick<ArtifactRow, 'params' | 'contentSha256'>): string {
  return row.params['code_digest'] ?? row.contentSha256;
}

/** The same of what a name holds now; null where nothing is stored. */
export function readDigest(row: ArtifactRow | null): string | null {
  return row === null ? null : cutOffDigest(row);
}

export function digestOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
