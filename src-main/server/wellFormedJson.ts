/** Finds text and keys in a parsed JSON value that files and tables could not store as sent, to refuse the request. */

/** A part of a JSON value that cannot be stored as sent, and its path. */
interface JsonFault {
  readonly at: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

interface Part {
  readonly value: unknown;
  readonly step: string | number;
  readonly above: Part | null;
  readonly depth: number;
}

/** Maximum nesting of objects and lists: more than clients send, and few enough for recursive readers. */
const MAX_JSON_DEPTH = 200;

/** Steps of a path that are reported: a fault may be a hundred thousand objects deep. */
const MAX_STEPS = 20;

const HALF = {
  msg: 'String should be well-formed: it contains half of a surrogate pair, which UTF-8 cannot store',
  type: 'string_unicode',
};
const TOO_DEEP = {
  msg: `Objects and lists should be nested at most ${MAX_JSON_DEPTH} levels deep`,
  type: 'too_deep',
};
const PROTOTYPE = { msg: 'A key cannot be named __proto__', type: 'key_name' };

/**
 * The first text that is not valid UTF-16 (files and tables would store another text), key that names an object's
 * prototype (it would be dropped silently), or value that is nested too deep to be read. Null if there is none. Pure;
 * uses no stack for deep values.
 */
export function findIllFormedText(value: unknown): JsonFault | null {
  const waiting: Part[] = [{ value, step: '', above: null, depth: 1 }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const fault = faultOf(part);
    if (fault !== null) return { at: stepsTo(part), ...fault };
    if (typeof part.value !== 'object' || part.value === null) continue;
    const entries: Iterable<[string | number, unknown]> = Array.isArray(part.value)
      ? part.value.entries()
      : Object.entries(part.value);
    const below: Part[] = [];
    for (const [step, inner] of entries)
      below.push({ value: inner, step, above: part, depth: part.depth + 1 });
    // So that the first one is checked first.
    for (const next of below.reverse()) waiting.push(next);
  }
  return null;
}

function faultOf({ value, step, depth }: Part): { readonly msg: string; readonly type: string } | null {
  if (step === '__proto__') return PROTOTYPE;
  if (typeof step === 'string' && !step.isWellFormed()) return HALF;
  if (typeof value === 'object' && value !== null && depth > MAX_JSON_DEPTH) return TOO_DEEP;
  return typeof value === 'string' && !value.isWellFormed() ? HALF : null;
}

function stepsTo(part: Part): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at: Part = part; at.above !== null; at = at.above) steps.push(at.step);
  return steps.reverse().slice(0, MAX_STEPS);
}
