import { createHash } from 'node:crypto';
import { sortedKeys } from '../provenance.ts';

/** Everything an answer depends on (prompts-and-ai 1 to 5). */
export interface PromptFacts {
  readonly rendered: string;
  readonly model: string;
  readonly temperature: number;
  readonly system: string | null;
  readonly output: 'text' | 'json';
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxTokens: number;
  /** Keys of what it reads and waits for. */
  readonly upstream: readonly string[];
}

/** The key of a prompt's answer: SHA-256 of its facts, one a line, the schema without regard to the order of its keys. */
export function promptKey(facts: PromptFacts): string {
  const { rendered, model, temperature, system, output, schema, maxTokens, upstream } = facts;
  const lines = [
    // As JSON text: a line break inside one fact must not look like the next one.
    JSON.stringify(rendered),
    JSON.stringify(model),
    String(temperature),
    JSON.stringify(system),
    output,
    schema === null ? '' : JSON.stringify(sortedKeys(schema)),
    String(maxTokens),
    ...[...upstream].sort(),
  ];
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
