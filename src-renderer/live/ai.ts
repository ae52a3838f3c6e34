/** Requests that read and change the notebook's AI settings (provider, model, limits). */

import { createStore } from 'zustand/vanilla';
import type { AiStatus } from '../../src-shared/wire/routes/ai.ts';
import { callRoute } from './rest.ts';

export type { AiStatus };

/** The notebook's AI settings; null leaves a setting to a key's provider or to the server. */
export type AiRequest = AiStatus['own'];

/** The AI model of the notebook's prompts, and whether it can be used. @throws RestError */
export function readAi(sid: string): Promise<AiStatus> {
  return callRoute('aiStatus', { params: { sid } });
}

/** How often this window changed the settings; components that show them read them again when it changes. */
export const aiChanges = createStore(() => ({ count: 0 }));

/** @throws RestError */
export async function saveAi(sid: string, request: AiRequest): Promise<AiStatus> {
  const status = await callRoute('setAi', { params: { sid }, body: request });
  aiChanges.setState(({ count }) => ({ count: count + 1 }));
  return status;
}

/** The names of models the provider offers; empty if it does not list them. @throws RestError */
export async function readModels(sid: string): Promise<readonly string[]> {
  return (await callRoute('aiModels', { params: { sid } })).models;
}
