import type { AiStatus } from '../../src-shared/wire/routes/ai.ts';
import { callRoute } from './rest.ts';

export type { AiStatus };

/** The notebook's AI settings; null leaves a setting to a key's provider or to the server. */
export type AiWish = AiStatus['own'];

/** The AI model of the notebook's prompts, and whether it can be used. @throws RestError */
export function readAi(sid: string): Promise<AiStatus> {
  return callRoute('aiStatus', { params: { sid } });
}

/** @throws RestError */
export function saveAi(sid: string, wish: AiWish): Promise<AiStatus> {
  return callRoute('setAi', { params: { sid }, body: wish });
}

/** The names of models the provider offers; empty if it does not list them. @throws RestError */
export async function readModels(sid: string): Promise<readonly string[]> {
  return (await callRoute('aiModels', { params: { sid } })).models;
}
