/** A valid call of each route of the assistant with a body or a job, for the tests of all routes (`routes.test.ts`). */

import type { ParsedRouteName } from '../../src-shared/wire/routes/all.ts';
import type { Call } from './refusedCalls.ts';

type AiRoute = Extract<ParsedRouteName, `ai${string}` | `setAi${string}` | 'agentAccess' | 'setAgentAccess'>;

/** @param toAssistant makes a call to a notebook whose provider answers */
export function aiCalls(
  toAssistant: (body: unknown) => Promise<Call>,
): Readonly<Record<Exclude<AiRoute, 'aiStatus' | 'aiModels'>, () => Promise<Call> | Call>> {
  return {
    aiComplete: () => toAssistant({ message: 'Hi' }),
    aiStream: () => toAssistant({ message: 'Hi' }),
    aiSuggest: () => toAssistant({ cell_id: 'a0000001', before: 'y = ', after: '' }),
    aiAgent: () => toAssistant({ message: 'Hi' }),
    aiAgentReset: () => toAssistant(undefined),
    aiContext: () => toAssistant({ for: 'agent' }),
    aiAgentStatus: () => toAssistant(undefined),
    agentAccess: () => ({}),
    setAgentAccess: () => ({ body: { enabled: false } }),
    setAiModel: () => ({ body: { model: 'small-1' } }),
    setAi: () => ({
      body: { model: null, base_url: 'http://127.0.0.1:9/v1', max_output_tokens: 100, timeout_seconds: 1.5 },
    }),
  };
}
