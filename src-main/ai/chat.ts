/** A conversation with a model, whichever API it is held over. */

export interface ChatTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** What may be asked for and not every server knows: what one refuses is left out and said otherwise. */
export interface ChatFeatures {
  /** The answer is JSON by the API's own means. */
  readonly structured: boolean;
  /** The token counts come with a stream. */
  readonly streamUsage: boolean;
  readonly temperature: boolean;
}

export interface ChatRequest {
  readonly model: string;
  readonly turns: readonly ChatTurn[];
  readonly temperature: number;
  readonly maxTokens: number;
  /** What the answer is: text, any JSON, or JSON of this schema. */
  readonly answer: { readonly kind: 'text' } | JsonAnswer;
  readonly features: ChatFeatures;
}

export interface JsonAnswer {
  readonly kind: 'json';
  readonly schema: Readonly<Record<string, unknown>> | null;
}

export interface ChatReply {
  readonly text: string;
  /** Null where the provider does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** The answer ended because it was as long as it may be. */
  readonly isCut: boolean;
}

export interface ChatOptions {
  readonly signal: AbortSignal;
  /** A piece of the answer, as it comes. */
  readonly onText: (text: string) => void;
  /** The provider sent something, be it thoughts that nobody is shown. */
  readonly onSign: () => void;
}

/** One way of asking a model. Each call is one HTTP request. */
export interface ChatClient {
  /** Whether an answer comes in pieces; else nothing is heard of it before it is whole. */
  readonly streams: boolean;
  /** @throws ChatError for everything a server, a network or an answer can do */
  ask(request: ChatRequest, options: ChatOptions): Promise<ChatReply>;
}

export type ChatErrorKind =
  /** It may go better in a moment: too busy, broken, cut off. */
  | 'transient'
  /** 400 or 422: the server does not take the request as it is. */
  | 'refused'
  | 'final';

/** Why a model gave no answer, in words a person can act on. */
export class ChatError extends Error {
  readonly kind: ChatErrorKind;
  readonly status: number | null;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | null;
  /** What the server itself said: which feature it names is read from it. */
  readonly said: string;

  constructor(
    message: string,
    facts: {
      readonly kind: ChatErrorKind;
      readonly status?: number | null;
      readonly retryAfterMs?: number | null;
      readonly said?: string;
    },
  ) {
    super(message);
    this.name = 'ChatError';
    this.kind = facts.kind;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.said = facts.said ?? '';
  }
}
