/** Reads `registry` in SVC_TRANSFORMS_CONFIG: the table of the servers that run transforms of the data plane. */

import * as z from 'zod';
import type { Config } from './variables.ts';

/** The entry in the table instead of a URL if this server itself runs the transform. */
export const EMBEDDED_URL = 'embedded://local';

const limit = z.int().min(0).default(0);
const entry = z
  .object({
    ref: z.string().min(1).max(200),
    executor_url: z
      .string()
      .refine((url) => url === EMBEDDED_URL || isHttp(url), `must be an http(s) address or ${EMBEDDED_URL}`),
    timeout_seconds: z.number().positive().max(86_400).default(300),
    max_output_bytes: limit,
    max_input_bytes: limit,
    requires_scope: z.string().min(1).nullish(),
  })
  .transform(({ ref, executor_url, timeout_seconds, max_output_bytes, max_input_bytes, requires_scope }) => ({
    ref,
    url: executor_url.replace(/\/+$/, ''),
    timeoutSeconds: timeout_seconds,
    maxOutputBytes: max_output_bytes === 0 ? null : max_output_bytes,
    maxInputBytes: max_input_bytes === 0 ? null : max_input_bytes,
    requiredScope: requires_scope ?? null,
  }));

/** Where the transforms whose name matches run, and within which limits (docs/spec/core-services.md, 1). */
export interface TransformEntry {
  /** A glob: `*` is any text, `?` any character. */
  readonly ref: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly timeoutSeconds: number;
  /** Null: the limit of the server. */
  readonly maxOutputBytes: number | null;
  /** Null: no limit. */
  readonly maxInputBytes: number | null;
  readonly requiredScope: string | null;
}

/** Reads `registry` of the transforms. @returns a message about the first invalid entry */
export function readTransformRegistry(
  value: unknown,
): readonly TransformEntry[] | { readonly problem: string } {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return { problem: 'registry must be a list.' };
  const parsed = z.array(entry).safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [at, ...rest] = issue?.path ?? [];
  const where = [`registry[${String(at)}]`, ...rest.map(String)].join('.');
  return { problem: `${where}: ${issue?.message ?? 'invalid'}.` };
}

/** Whether the server runs transforms of its registry. SVC_TRANSFORMS_ENABLED overrides `enabled` of the file. */
export function transformsEnabled({ transformsEnabled: variable, transformsConfig }: Config): boolean {
  return variable ?? transformsConfig['enabled'] === true;
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
