import { type AiChoice, chooseAi, type ServerAi } from '../../ai/aiSettings.ts';
import type { Config } from '../../config/variables.ts';
import { promptLine } from '../../run/prompt/promptFacts.ts';
import type { NotebookAi } from '../api.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';

/** What the server itself says of models (SVC_AI_*). */
export function serverAiOf(config: Config): ServerAi {
  return {
    apiKey: config.aiApiKey,
    baseUrl: config.aiBaseUrl,
    model: config.aiModel,
    maxOutputTokens: config.aiMaxOutputTokens,
    timeoutSeconds: config.aiTimeoutSeconds,
  };
}

/** A server that says nothing of models. */
export const NO_SERVER_AI: ServerAi = {
  apiKey: null,
  baseUrl: null,
  model: null,
  maxOutputTokens: 4096,
  timeoutSeconds: 60,
};

/** Whom a cell that runs with these variables asks; the notebook's own variables say whom the notebook asks. */
export function aiOf(
  { options, file }: Pick<SessionState, 'options' | 'file'>,
  env: Readonly<Record<string, string>>,
): AiChoice {
  return chooseAi(options.ai, env, file.ai);
}

/** What of the configuration is part of a cell's key: the model a prompt asks; nothing of other cells. */
export function aiLines(
  state: SessionState,
  cell: CellState,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  return [promptLine(cell.analysis.annotations.prompt, aiOf(state, env))];
}

/** Whom the notebook's prompts ask, for people to see; with what asking takes, where asking is allowed. */
export function notebookAiOf(state: SessionState): NotebookAi {
  const { ai } = state.file;
  const { settings, apiKey, hint } = aiOf(state, state.file.env);
  const { baseUrl, model, provider } = settings;
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
      },
    },
    // A notebook nobody trusts sends nothing anywhere, its models' names included.
    reach: apiKey === null || whyUntrusted(state) !== null ? null : { apiKey, baseUrl },
  };
}
