/** Computes the key that a model's reply is stored under, from the rendered prompt and its parameters. */

import { createHash } from 'node:crypto';
import { sortedKeys } from '../provenance.ts';

/** Everything a reply depends on (docs/spec/prompts-and-ai.md, 2). */
interface PromptFacts {
  readonly rendered: string;
  readonly model: string;
  readonly temperature: number;
  readonly system: string | null;
  readonly output: 'text' | 'json';
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxTokens: number;
  /** Keys of its inputs and of the cells it waits for. */
  readonly upstream: readonly string[];
}

/**
 * The key of a prompt's reply: SHA-256 of its facts, one a line; the order of the schema's keys does not
 * matter.
 */
export function promptKey(facts: PromptFacts): string {
  const { rendered, model, temperature, system, output, schema, maxTokens, upstream } = facts;
  const lines = [
    // As JSON text, so that a line break inside a fact cannot look like the next fact.
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
