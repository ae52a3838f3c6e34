/**
 * Opens the assistant's conversation with the provider in the AI settings, and repeats requests without refused
 * features.
 */

import type { AiSettings } from './aiSettings.ts';
import { createAnthropicConversation } from './anthropicConversation.ts';
import { ChatError } from './chat.ts';
import type { ConversationMessage, ConversationReply, ConversationRequest } from './conversation.ts';
import { createOpenAiConversation } from './openaiConversation.ts';
import { askOnce, askWithRetries, type RetryOptions } from './retries.ts';

export type ConversationQuestion = Pick<ConversationRequest, 'messages' | 'tools' | 'mayCall'>;

interface ConversationOptions {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  /** The provider is busy, or does not support something. */
  readonly onNotice?: (text: string) => void;
  /** Called for any data from the provider. */
  readonly onData?: () => void;
  /** Whether to retry when the server is busy. Default: false, because a user is waiting and can retry. */
  readonly patient?: boolean;
}

/** One provider for a conversation; features it has refused once are not requested again. */
export interface Conversation {
  /** @throws ChatError; rejects with the signal's reason if it was cancelled */
  ask(question: ConversationQuestion, options: ConversationOptions): Promise<ConversationReply>;
}

/** Opens a conversation with the provider of these settings; sends nothing. */
export function openConversation(settings: AiSettings): Conversation {
  const client =
    settings.provider === 'anthropic'
      ? createAnthropicConversation(settings)
      : createOpenAiConversation(settings);
  let streamUsage = true;
  let takesImages = true;
  return {
    async ask(question, { patient = false, ...options }) {
      const patience: RetryOptions = {
        onNotice: () => undefined,
        ...options,
        streams: true,
        idleSeconds: settings.timeoutSeconds,
        longestPauseSeconds: settings.timeoutSeconds,
        again: 'try again',
        onRestart: null,
      };
      for (;;) {
        const messages = takesImages ? question.messages : question.messages.map(withoutImages);
        const request = {
          ...question,
          messages,
          model: settings.model,
          maxTokens: settings.maxOutputTokens,
          streamUsage,
        };
        try {
          if (!patient) return await askOnce((one) => client.ask(request, one), patience);
          return await askWithRetries((one) => client.ask(request, one), patience);
        } catch (error) {
          const refused = error instanceof ChatError && error.kind === 'refused' ? error.serverMessage : '';
          if (streamUsage && refused.includes('stream_options')) streamUsage = false;
          // Servers of models without image input report that with many different messages and codes.
          else if (takesImages && error instanceof ChatError && hasImages(messages) && isOfRequest(error))
            takesImages = false;
          else throw error;
        }
      }
    },
  };
}

function hasImages(messages: readonly ConversationMessage[]): boolean {
  return messages.some((message) => message.role === 'tool' && (message.images ?? []).length > 0);
}

/** Whether another form of the request may succeed: it was read, and neither the key nor the rate was refused. */
function isOfRequest({ kind, status, serverMessage }: ChatError): boolean {
  return (
    kind === 'refused' || (status !== null && status >= 404 && status !== 429 && /image/i.test(serverMessage))
  );
}

function withoutImages(message: ConversationMessage): ConversationMessage {
  if (message.role !== 'tool' || message.images === undefined) return message;
  const { images: _images, ...rest } = message;
  return { ...rest, text: `${message.text}\n(The figure is not shown: this model does not accept images.)` };
}
