/** Validates a model's JSON reply, against the schema of its prompt cell if it has one. */

import { checkInThread } from './schemaThread.ts';
import type { SchemaFault } from './schemaValidator.ts';

/** A JSON reply in its stored form, or its faults: at most a few lines, each `path: message`. */
type ReadAnswer =
  /** `json`: the original text, so that numbers keep their digits. */
  | { readonly kind: 'value'; readonly value: unknown; readonly json: string }
  | { readonly kind: 'wrong'; readonly faults: readonly string[] }
  /** The reply could not be validated: why, and what to do. */
  | { readonly kind: 'unchecked'; readonly message: string };

/** @throws the signal's reason once it is aborted */
export type AnswerReader = (text: string, signal: AbortSignal) => Promise<ReadAnswer>;

const MAX_FAULTS = 20;
/** Far more than any sensible schema needs for a reply. */
const DEADLINE_MS = 5_000;

/**
 * Creates the reader of JSON replies, with a schema (JSON Schema 2020-12) or without. @param deadlineMs
 * timeout for validating one reply @returns a message if the schema itself is invalid
 */
export async function answerReader(
  schema: Readonly<Record<string, unknown>> | null,
  deadlineMs: number = DEADLINE_MS,
): Promise<AnswerReader | { readonly problem: string }> {
  if (schema === null) return async (text) => parsed(text);
  // Loaded with the first schema: most notebooks have none.
  const { compileSchema } = await import('./schemaValidator.ts');
  const compiled = compileSchema(schema);
  if (typeof compiled === 'string') {
    return { problem: `@output_schema is not a valid JSON Schema (2020-12): ${compiled}` };
  }
  return async (text, signal) => {
    const result = parsed(text);
    if (result.kind !== 'value') return result;
    const look = { schema, value: result.value, most: MAX_FAULTS };
    const faults = await checkInThread(look, { deadlineMs, signal });
    if (faults === null) return { kind: 'unchecked', message: tooLong(deadlineMs) };
    return faults.length === 0 ? result : { kind: 'wrong', faults: faults.map(faultMessage) };
  };
}

function tooLong(deadlineMs: number): string {
  return `Checking the response against @output_schema took longer than ${deadlineMs / 1000} s and was cancelled. Simplify nested repetitions such as (a+)+ and nested unions in the schema.`;
}

function faultMessage({ instancePath, message = 'is wrong', params }: SchemaFault): string {
  const path = instancePath === '' ? 'response' : instancePath.slice(1).replaceAll('/', '.');
  const extra = 'additionalProperty' in params ? ` (\`${params['additionalProperty']}\`)` : '';
  const allowed =
    'allowedValues' in params ? `: ${JSON.stringify(params['allowedValues']).slice(0, 200)}` : '';
  return `${path}: ${message}${extra}${allowed}`;
}

function parsed(text: string): ReadAnswer {
  let first = '';
  for (const candidate of candidates(text)) {
    try {
      return { kind: 'value', value: JSON.parse(candidate), json: candidate };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (first === '') first = error.message;
    }
  }
  return { kind: 'wrong', faults: [`response is not valid JSON: ${first}`] };
}

const FENCE = '```';

/** The content of the first code fence; by plain search, because a reply may be of any length. */
function fencedIn(text: string): string | undefined {
  const open = text.indexOf(FENCE);
  const line = open === -1 ? -1 : text.indexOf('\n', open);
  const close = line === -1 ? -1 : text.indexOf(FENCE, line);
  return close === -1 ? undefined : text.slice(line + 1, close).trim();
}

/**
 * The parts of a reply that may be its JSON: all of it, the content of a code fence, the outermost {} or [].
 */
function candidates(text: string): readonly string[] {
  const trimmed = text.trim();
  const fenced = fencedIn(trimmed);
  const texts = [trimmed, ...(fenced === undefined ? [] : [fenced])];
  const spans = (['{}', '[]'] as const)
    .map(([open, close]) => ({ from: trimmed.indexOf(open ?? ''), to: trimmed.lastIndexOf(close ?? '') }))
    .filter(({ from, to }) => from >= 0 && to > from)
    .sort((a, b) => a.from - b.from);
  return [...texts, ...spans.map(({ from, to }) => trimmed.slice(from, to + 1))];
}
