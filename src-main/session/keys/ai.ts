/** Determines the AI model that a notebook's prompts use, and its part in the keys of prompt cells. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { AiStatus } from '../../../src-shared/wire/routes/ai.ts';
import {
  type AiChoice,
  type AiSettings,
  type AssistantLimits,
  assistantLimits,
  chooseAi,
  type ServerAi,
} from '../../ai/aiSettings.ts';
import type { ProviderAccess } from '../../ai/openaiChat.ts';
import type { Config } from '../../config/variables.ts';
import { promptLine } from '../../run/prompt/promptFacts.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';

/** The server's own settings for models (SVC_AI_*). */
export function serverAiOf(config: Config): ServerAi {
  return {
    apiKey: config.aiApiKey,
    baseUrl: config.aiBaseUrl,
    model: config.aiModel,
    maxOutputTokens: config.aiMaxOutputTokens,
    timeoutSeconds: config.aiTimeoutSeconds,
    maxContextTokens: config.aiMaxContextTokens,
    approvalTimeoutSeconds: config.aiApprovalTimeoutSeconds,
  };
}

/** A server without settings for models. */
export const NO_SERVER_AI: ServerAi = {
  apiKey: null,
  baseUrl: null,
  model: null,
  maxOutputTokens: 4096,
  timeoutSeconds: 60,
  maxContextTokens: 100_000,
  approvalTimeoutSeconds: 120,
};

/**
 * The model for a cell that runs with these variables; with the notebook's own variables, the notebook's
 * model.
 */
export function aiOf(
  { options, file }: Pick<SessionState, 'options' | 'file'>,
  env: Readonly<Record<string, string>>,
): AiChoice {
  return chooseAi(options.ai, env, file.ai);
}

/**
 * The part of the configuration that belongs to a cell's key: the model, for a prompt; nothing for other
 * cells.
 */
export function aiLines(
  state: SessionState,
  cell: CellState,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  return [promptLine(cell.analysis.annotations.prompt, aiOf(state, env))];
}

/** The AI model that a notebook's prompts use. */
export interface NotebookAi {
  readonly status: AiStatus;
  /** How to reach the model; null without a key, or where this notebook may not send requests. */
  readonly reach: ProviderAccess | null;
  /** The provider of the assistant; null exactly where `whyNot` has a reason. */
  readonly assistant: AiSettings | null;
  readonly limits: AssistantLimits;
  readonly whyNot: AppError | null;
}

/** The notebook's AI model as shown to people, with how to reach it if requests are allowed. */
export function notebookAiOf(state: SessionState): NotebookAi {
  const { ai } = state.file;
  const { settings, apiKey, hint } = aiOf(state, state.file.env);
  const { baseUrl, model, provider } = settings;
  const untrusted = whyUntrusted(state);
  const mayAsk = apiKey !== null && untrusted === null;
  return {
    status: {
      available: apiKey !== null,
      model,
      provider,
      base_url: baseUrl,
      hint: apiKey === null ? hint : null,
      own: {
        model: ai.model ?? null,
        base_url: ai.base_url ?? null,
        max_output_tokens: ai.max_output_tokens ?? null,
        timeout_seconds: ai.timeout_seconds ?? null,
        max_context_tokens: ai.max_context_tokens ?? null,
        approval_timeout_seconds: ai.approval_timeout_seconds ?? null,
      },
    },
    // An untrusted notebook sends nothing anywhere, not even model names.
    reach: mayAsk ? { apiKey, baseUrl } : null,
    assistant: mayAsk ? { ...settings, apiKey } : null,
    limits: assistantLimits(state.options.ai, ai),
    whyNot: untrusted ?? (apiKey === null ? new AppError('ai_unavailable', hint) : null),
  };
}
