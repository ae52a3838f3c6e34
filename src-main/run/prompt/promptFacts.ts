/** Determines the parameters of a prompt cell, such as model and temperature, from its annotations and the settings. */

import type { PromptAnnotation } from '../../../src-shared/notebook/annotation.ts';
import type { AiChoice } from '../../ai/aiSettings.ts';

/** The parameters of a prompt; annotations override settings (docs/spec/prompts-and-ai.md, 2). */
export interface PromptSettings {
  readonly model: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly system: string | null;
  readonly output: 'text' | 'json';
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** Maximum number of replies to request, including the first. */
  readonly attempts: number;
}

const DEFAULT_TEMPERATURE = 0;
const DEFAULT_ATTEMPTS = 3;

/** The parameters of a prompt from its annotations and the chosen model. */
export function promptSettings(
  prompt: PromptAnnotation,
  { settings }: Pick<AiChoice, 'settings'>,
): PromptSettings {
  const { outputSchema: schema } = prompt;
  return {
    model: prompt.model ?? settings.model,
    temperature: prompt.temperature ?? DEFAULT_TEMPERATURE,
    maxTokens: prompt.maxTokens ?? settings.maxOutputTokens,
    system: prompt.system,
    output: schema !== null ? 'json' : (prompt.output ?? 'text'),
    schema,
    attempts: prompt.validateRetries ?? DEFAULT_ATTEMPTS,
  };
}

/**
 * The part of the configuration that belongs to a prompt's key, as a line: another model gives another reply.
 */
export function promptLine(prompt: PromptAnnotation, choice: Pick<AiChoice, 'settings'>): string {
  const { model, maxTokens } = promptSettings(prompt, choice);
  return `prompt:${JSON.stringify([model, maxTokens])}`;
}
