/** Types of the assistant's conversation with a model that may call tools; the same for every AI provider. */

import type { ChatOptions } from './chat.ts';

/** One call of a tool, as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text; it may be invalid. */
  readonly arguments: string;
}

/** An image for models with image input. */
export interface ConversationImage {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Base64. */
  readonly data: string;
}

export type ConversationMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly text: string;
      readonly isError: boolean;
      readonly images?: readonly ConversationImage[];
    };

/** The description of a tool for the model. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ConversationRequest {
  readonly model: string;
  readonly messages: readonly ConversationMessage[];
  readonly maxTokens: number;
  readonly tools: readonly ToolSpec[];
  /** False: the model must answer with text. */
  readonly mayCall: boolean;
  /** Whether the token counts are requested; some servers refuse that. */
  readonly streamUsage: boolean;
}

export interface ConversationReply {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Null if the provider does not report it. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** The reply was cut off at its maximum length: its last call may be incomplete. */
  readonly isCut: boolean;
}

/** A chat API with tools; replies stream. Each call is one HTTP request. */
export interface ConversationClient {
  /** @throws ChatError for every failure of a server, a network or a reply */
  ask(request: ConversationRequest, options: ChatOptions): Promise<ConversationReply>;
}

/** More calls in one turn than any task needs: a faulty model must not fill the memory. */
export const MAX_CALLS = 64;
