import type { SchemaFault } from './schemaValidator.ts';

/** A JSON answer as it is kept, or what is wrong with it: at most a few lines, each `path: message`. */
export type ReadAnswer =
  /** `json`: its own text, so that numbers keep their digits. */
  | { readonly kind: 'value'; readonly value: unknown; readonly json: string }
  | { readonly kind: 'wrong'; readonly faults: readonly string[] };

export type AnswerReader = (text: string) => ReadAnswer;

const MOST_FAULTS = 20;

/**
 * Reads answers that are to be JSON, of a schema where there is one (JSON Schema 2020-12).
 * @returns in words what is wrong with the schema itself
 */
export async function answerReader(
  schema: Readonly<Record<string, unknown>> | null,
): Promise<AnswerReader | { readonly problem: string }> {
  if (schema === null) return (text) => parsed(text);
  // Loaded at the first schema: most notebooks have none.
  const { compileSchema } = await import('./schemaValidator.ts');
  const compiled = compileSchema(schema);
  if (typeof compiled === 'string') {
    return { problem: `@output_schema is no JSON Schema (2020-12): ${compiled}` };
  }
  return (text) => {
    const read = parsed(text);
    if (read.kind === 'wrong') return read;
    const faults = compiled(read.value);
    return faults.length === 0
      ? read
      : { kind: 'wrong', faults: faults.slice(0, MOST_FAULTS).map(faultWords) };
  };
}

function faultWords({ instancePath, message = 'is wrong', params }: SchemaFault): string {
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

const FENCE = /```[\w-]*[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```/;

/** What of an answer may be its JSON: all of it, what stands in a code fence, the outermost {} or []. */
function candidates(text: string): readonly string[] {
  const trimmed = text.trim();
  const fenced = FENCE.exec(trimmed)?.[1];
  const found = [trimmed, ...(fenced === undefined ? [] : [fenced.trim()])];
  const spans = (['{}', '[]'] as const)
    .map(([open, close]) => ({ from: trimmed.indexOf(open ?? ''), to: trimmed.lastIndexOf(close ?? '') }))
    .filter(({ from, to }) => from >= 0 && to > from)
    .sort((a, b) => a.from - b.from);
  return [...found, ...spans.map(({ from, to }) => trimmed.slice(from, to + 1))];
}
