/** What of a JSON value cannot be kept as it was sent, and where it stands. */
export interface Unsound {
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

/** Objects and lists within one another: more than anybody sends, fewer than whatever reads them takes on its stack. */
const MAX_JSON_DEPTH = 200;

/** Steps to a fault that are told: a value may lie a hundred thousand objects deep. */
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
 * The first text that no UTF-8 can hold, the key that names an object's prototype, and what lies too deep: files and
 * tables would keep another text, or nothing, without a word, or nobody could read it. Null where there is none. Pure; deep values take no stack.
 */
export function unsound(value: unknown): Unsound | null {
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
    // The first is looked at first.
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
