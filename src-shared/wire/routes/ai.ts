/** Contracts of the routes about AI models: settings, requests to a model, and the assistant. */

import * as z from 'zod';
import {
  agentBody,
  agentStatus,
  aiTokens,
  chatBody,
  contextBody,
  contextPreview,
  suggestAnswer,
  suggestBody,
} from '../assistant.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const SESSION = '/v1/notebooks/{sid}';

const MAX_MODEL = 200;

/** The AI model of the notebook's prompts, and whether it can be used: the key is never sent. */
const aiStatus = z.object({
  available: z.boolean(),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  /** Extension: the URL for requests. */
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
    max_context_tokens: z.number().int().nullable(),
    approval_timeout_seconds: z.number().nullable(),
  }),
});
export type AiStatus = z.infer<typeof aiStatus>;

const model = z
  .string()
  .trim()
  .min(1)
  .max(MAX_MODEL)
  .regex(/^[^\0\r\n]*$/, 'must be one line');

/** The URL of a server with an API like OpenAI's. */
const address = z
  .string()
  .trim()
  .max(1_000)
  .refine(isAddress, 'must be an http:// or https:// address without user name and password');

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/i.test(text);
}

/** Models for prompts, and the assistant (docs/spec/prompts-and-ai.md, 6, 7). */
export const AI_ROUTES = {
  aiStatus: {
    method: 'GET',
    path: `${SESSION}/ai/status`,
    summary: 'Show the model for prompts, and whether there is an API key',
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
      /** Absent: unchanged. */
      max_context_tokens: z.int().min(1).max(100_000_000).nullable().optional(),
      approval_timeout_seconds: z.number().positive().max(86_400).nullable().optional(),
    }),
    response: aiStatus,
    errors: [404, 409, 422],
  },
  aiComplete: {
    method: 'POST',
    path: `${SESSION}/ai/complete`,
    summary: 'Ask the model about the notebook; the answer is returned as a whole',
    scope: 'notebook:execute',
    params: sessionParams,
    body: chatBody,
    response: z.object({ content: z.string(), model: z.string(), tokens: aiTokens }),
    errors: [403, 404, 409, 422, 429, 502, 503, 504],
  },
  aiStream: {
    method: 'POST',
    path: `${SESSION}/ai/stream`,
    summary: 'The same as Server-Sent Events: delta {text}, then done {model, tokens} or error {message}',
    scope: 'notebook:execute',
    params: sessionParams,
    body: chatBody,
    response: 'bytes',
    media: ['text/event-stream'],
    errors: [403, 404, 422, 503],
  },
  aiAgent: {
    method: 'POST',
    path: `${SESSION}/ai/agent`,
    summary: 'Let the assistant work on the notebook; frames report its progress',
    scope: 'notebook:execute',
    params: sessionParams,
    body: agentBody,
    response: z.object({ job_id: z.string(), status: z.literal('started') }),
    errors: [403, 404, 409, 422, 503],
  },
  aiAgentReset: {
    method: 'POST',
    path: `${SESSION}/ai/agent/reset`,
    summary: 'Cancel the assistant’s job, and discard the conversation',
    scope: 'notebook:execute',
    params: sessionParams,
    response: z.object({ status: z.literal('ok') }),
    errors: [404],
  },
  /** Extension. */
  aiSuggest: {
    method: 'POST',
    path: `${SESSION}/x/ai/suggest`,
    summary: 'Suggest a text to insert at the caret of a cell; empty if there is none',
    scope: 'notebook:execute',
    params: sessionParams,
    body: suggestBody,
    response: suggestAnswer,
    errors: [403, 404, 409, 422, 429, 502, 503, 504],
  },
  /** Extension. */
  aiContext: {
    method: 'POST',
    path: `${SESSION}/x/ai/context`,
    summary: 'Show what a request would send, with sizes; nothing is sent',
    scope: 'notebook:read',
    params: sessionParams,
    body: contextBody,
    response: contextPreview,
    errors: [404, 422],
  },
  /** Extension. */
  aiAgentStatus: {
    method: 'GET',
    path: `${SESSION}/x/ai/agent`,
    summary: 'Show the job of the assistant, its memory and the tokens it used',
    scope: 'notebook:read',
    params: sessionParams,
    response: agentStatus,
    errors: [404],
  },
} as const satisfies Record<string, RouteContract>;
