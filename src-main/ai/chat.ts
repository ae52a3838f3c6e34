/** Types of a request to an AI provider for prompt cells, of its reply, and of its failure; the same for every API. */

/** One message of a conversation. */
export interface ChatTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** Optional features that not every server supports: refused ones are omitted or replaced. */
export interface ChatFeatures {
  /** JSON output through the API's own feature. */
  readonly structured: boolean;
  /** The token counts arrive with a stream. */
  readonly streamUsage: boolean;
  readonly temperature: boolean;
}

export interface ChatRequest {
  readonly model: string;
  readonly turns: readonly ChatTurn[];
  readonly temperature: number;
  readonly maxTokens: number;
  /** The type of the reply: text, any JSON, or JSON of this schema. */
  readonly answer: { readonly kind: 'text' } | JsonAnswer;
  readonly features: ChatFeatures;
}

export interface JsonAnswer {
  readonly kind: 'json';
  readonly schema: Readonly<Record<string, unknown>> | null;
}

export interface ChatReply {
  readonly text: string;
  /** Null if the provider does not report it. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** The reply was cut off at its maximum length. */
  readonly isCut: boolean;
}

export interface ChatOptions {
  readonly signal: AbortSignal;
  /** Called with each chunk of the reply. */
  readonly onText: (text: string) => void;
  /** Called for any data from the provider, including reasoning that is not shown. */
  readonly onData: () => void;
}

/** A chat API. Each call is one HTTP request. */
export interface ChatClient {
  /** Whether a reply arrives in chunks; otherwise nothing arrives before it is complete. */
  readonly streams: boolean;
  /** @throws ChatError for every failure of a server, a network or a reply */
  ask(request: ChatRequest, options: ChatOptions): Promise<ChatReply>;
}

type ChatErrorKind =
  /** May succeed later: the server was busy, failed, or cut the reply off. */
  | 'transient'
  /** 400 or 422: the server rejects the request in this form. */
  | 'refused'
  /** Nothing arrived within the idle timeout. */
  | 'silent'
  | 'final';

/** Why there is no reply of a model, as a message that a user can act on. */
export class ChatError extends Error {
  readonly kind: ChatErrorKind;
  readonly status: number | null;
  /** The delay that the server requests. */
  readonly retryAfterMs: number | null;
  /** The server's own message: it may name the refused feature. */
  readonly serverMessage: string;

  constructor(
    message: string,
    facts: {
      readonly kind: ChatErrorKind;
      readonly status?: number | null;
      readonly retryAfterMs?: number | null;
      readonly serverMessage?: string;
    },
  ) {
    super(message);
    this.name = 'ChatError';
    this.kind = facts.kind;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.serverMessage = facts.serverMessage ?? '';
  }
}
