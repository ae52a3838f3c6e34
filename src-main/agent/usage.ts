import type { AgentStatus } from '../../src-shared/wire/assistant.ts';

/** Counts the tokens that the assistant has used in one session, by model. */
export interface Usage {
  count(model: string, tokens: { readonly input: number; readonly output: number }): void;
  byModel(): AgentStatus['usage'];
}

export function createUsage(): Usage {
  const models = new Map<string, { input: number; output: number; requests: number }>();
  return {
    count(model, { input, output }) {
      const sums = models.get(model) ?? { input: 0, output: 0, requests: 0 };
      models.set(model, sums);
      sums.input += input;
      sums.output += output;
      sums.requests += 1;
    },
    byModel: () => Object.fromEntries([...models].map(([model, sums]) => [model, { ...sums }])),
  };
}
