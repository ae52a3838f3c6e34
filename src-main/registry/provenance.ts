import { createHash } from 'node:crypto';
import type { TransformSpec } from './versionRow.ts';

/**
 * The provenance of a transform, under which its result is stored (docs/spec/core-services.md, 3): SHA-256 of each
 * "uri:version", sorted and followed by NUL, then the specification as JSON with sorted keys and ", " and ": " between
 * its parts.
 */
export function transformProvenance(
  spec: TransformSpec,
  inputVersions: Readonly<Record<string, string>>,
): string {
  const hash = createHash('sha256');
  const inputs = Object.entries(inputVersions).map(([uri, version]) => `${uri}:${version}`);
  for (const input of inputs.sort()) hash.update(`${input}\0`);
  hash.update(spacedJson({ executor: spec.executor, inputs: spec.inputs ?? [], params: spec.params }));
  return hash.digest('hex');
}

/**
 * JSON in the form of Python's `json.dumps(value, sort_keys=True)`, for values that were parsed from JSON. A bigint is
 * a whole number.
 */
export function spacedJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${quoted(key)}: ${spacedJson(field)}`).join(', ')}}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
