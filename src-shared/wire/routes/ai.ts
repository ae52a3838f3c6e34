import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const SESSION = '/v1/notebooks/{sid}';

const MAX_MODEL = 200;

/** The AI model of the notebook's prompts, and whether it can be used: the key is never sent. */
export const aiStatus = z.object({
  available: z.boolean(),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  /** Extension: the address for requests. */
  base_url: z.string().nullable(),
  /** Extension: why no requests can be sent, and where to set a key; null if they can. */
  hint: z.string().nullable(),
  /**
   * Extension: the notebook's own settings, without its key; null: the server's settings or a key variable
   * apply.
   */
  own: z.object({
    model: z.string().nullable(),
    base_url: z.string().nullable(),
    max_output_tokens: z.number().int().nullable(),
    timeout_seconds: z.number().nullable(),
  }),
});
export type AiStatus = z.infer<typeof aiStatus>;

const model = z
  .string()
  .trim()
  .min(1)
  .max(MAX_MODEL)
  .regex(/^[^\0\r\n]*$/, 'must be one line');

/** The address of a server that speaks the OpenAI API. */
const address = z
  .string()
  .trim()
  .max(1_000)
  .refine(isAddress, 'must be an http:// or https:// address without user name and password');

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/i.test(text);
}

/** Models for prompts (prompts-and-ai 6). The assistant's routes are not implemented yet. */
export const AI_ROUTES = {
  aiStatus: {
    method: 'GET',
    path: `${SESSION}/ai/status`,
    summary: 'Show the model of prompts, and whether there is an API key',
    scope: 'notebook:read',
    params: sessionParams,
    response: aiStatus,
    errors: [404],
  },
  aiModels: {
    method: 'GET',
    path: `${SESSION}/ai/models`,
    summary: 'List the models of the provider; empty if it does not list them',
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({
      models: z.array(z.string()),
      current: z.string().nullable(),
      provider: z.string().nullable(),
    }),
    errors: [404],
  },
  setAiModel: {
    method: 'PUT',
    path: `${SESSION}/ai/model`,
    summary: 'Set the model of prompts',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({ model }),
    response: z.object({ model: z.string() }),
    errors: [404, 409, 422],
  },
  /** Extension. */
  setAi: {
    method: 'PUT',
    path: `${SESSION}/x/ai`,
    summary:
      'Replace the AI settings of the notebook; null means the server default. The key is not set here',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({
      model: model.nullable(),
      base_url: address.nullable(),
      max_output_tokens: z.int().min(1).max(10_000_000).nullable(),
      timeout_seconds: z.number().positive().max(86_400).nullable(),
    }),
    response: aiStatus,
    errors: [404, 409, 422],
  },
} as const satisfies Record<string, RouteContract>;
