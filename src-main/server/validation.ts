/** Parses requests by their schemas, and describes what is wrong with them as FastAPI does. */

import type * as z from 'zod';
import type { InvalidPart } from './errorAnswer.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

type CheckResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly parts: readonly InvalidPart[] };

/** Parses `raw` by its schema; problems are reported in FastAPI's form (docs/spec/rest-core.md, 7). */
export function check<S extends z.ZodType>(
  schema: S,
  { raw, where }: { readonly raw: unknown; readonly where: 'path' | 'query' | 'body' },
): CheckResult<z.output<S>> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, parts: parsed.error.issues.map((issue) => invalidPart(issue, { raw, where })) };
}

function invalidPart(issue: Issue, { raw, where }: { raw: unknown; where: string }): InvalidPart {
  const loc = [where, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))];
  const value = valueAt(raw, issue.path);
  const input = value === undefined ? valueAt(raw, issue.path.slice(0, -1)) : value;
  return { loc, ...explain(issue, value), ...inputOf(input) };
}

/** Longer values are not included. */
const MAX_INPUT_CHARACTERS = 2_000;

/** The refused value, as pydantic includes it. */
function inputOf(value: unknown): Pick<InvalidPart, 'input'> {
  if (value === undefined) return { input: null };
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? Number(part) : part,
  );
  return text.length > MAX_INPUT_CHARACTERS ? {} : { input: JSON.parse(text) };
}

/** The problem of a value, as a sentence and a stable type. */
export function explain(issue: Issue, value: unknown): Pick<InvalidPart, 'msg' | 'type' | 'ctx'> {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { msg: 'Field required', type: 'missing' };
      return wrongType(issue.expected, value);
    case 'too_big':
      return issue.origin === 'string'
        ? {
            msg: `String should have at most ${issue.maximum} characters`,
            type: 'string_too_long',
            ctx: { max_length: Number(issue.maximum) },
          }
        : bounded({ issue, comparison: 'less than', limit: issue.maximum });
    case 'too_small':
      return issue.origin === 'string'
        ? {
            msg: `String should have at least ${issue.minimum} character`,
            type: 'string_too_short',
            ctx: { min_length: Number(issue.minimum) },
          }
        : bounded({ issue, comparison: 'greater than', limit: issue.minimum });
    case 'invalid_value': {
      if (value === undefined) return { msg: 'Field required', type: 'missing' };
      const allowed = issue.values.map((one) => `'${String(one)}'`);
      return {
        msg: `Input should be ${allowed.join(', ')}`,
        type: issue.values.length === 1 ? 'literal_error' : 'enum',
        ctx: { expected: allowed.join(' or ') },
      };
    }
    default:
      return { msg: issue.message, type: 'value_error' };
  }
}

function bounded({
  issue,
  comparison,
  limit,
}: {
  issue: { readonly origin: string; readonly inclusive?: boolean };
  comparison: 'less than' | 'greater than';
  limit: number | bigint;
}): Pick<InvalidPart, 'msg' | 'type' | 'ctx'> {
  const equal = issue.inclusive === true;
  const subject = issue.origin === 'array' ? 'List length' : 'Input';
  const bound = `${comparison === 'less than' ? 'l' : 'g'}${equal ? 'e' : 't'}`;
  return {
    msg: `${subject} should be ${comparison}${equal ? ' or equal to' : ''} ${limit}`,
    type: `${comparison.replace(' ', '_')}${equal ? '_equal' : ''}`,
    ctx: { [bound]: Number(limit) },
  };
}

const TYPE_MESSAGES: Readonly<Record<string, readonly [msg: string, type: string]>> = {
  string: ['Input should be a valid string', 'string_type'],
  boolean: ['Input should be a valid boolean', 'bool_type'],
  array: ['Input should be a valid list', 'list_type'],
  object: ['Input should be a valid dictionary', 'dict_type'],
  record: ['Input should be a valid dictionary', 'dict_type'],
  int: ['Input should be a valid integer', 'int_type'],
  number: ['Input should be a valid number', 'float_type'],
};

/** Messages for texts where a number is expected. */
const PARSING_MESSAGES: typeof TYPE_MESSAGES = {
  int: ['Input should be a valid integer, unable to parse string as an integer', 'int_parsing'],
  number: ['Input should be a valid number, unable to parse string as a number', 'float_parsing'],
};

function wrongType(expected: string, value: unknown): { msg: string; type: string } {
  const parsing = typeof value === 'string' ? PARSING_MESSAGES[expected] : undefined;
  if (parsing !== undefined) return { msg: parsing[0], type: parsing[1] };
  const [msg, type] = TYPE_MESSAGES[expected] ?? [`Input should be ${expected}`, 'type_error'];
  return { msg, type };
}

/** The value that an issue refers to, as the client sent it. */
export function valueAt(raw: unknown, path: Path): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step]; // an object that has the key
  }
  return value;
}
