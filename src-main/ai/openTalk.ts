import type { AiSettings } from './aiSettings.ts';
import { createAnthropicTalk } from './anthropicTalk.ts';
import { ChatError } from './chat.ts';
import { createOpenAiTalk } from './openaiTalk.ts';
import { askOnce, askPatiently, type Patience } from './patience.ts';
import type { TalkReply, TalkRequest } from './talk.ts';

export type TalkQuestion = Pick<TalkRequest, 'messages' | 'tools' | 'mayCall'>;

export interface TalkOptions {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  /** The provider is busy, or does not support something. */
  readonly onNotice?: (text: string) => void;
  /** Called for any data from the provider. */
  readonly onSign?: () => void;
  /** Whether a busy server is asked again. Default: false, because a person waits and can do that. */
  readonly patient?: boolean;
}

/** One provider for a conversation; what it has refused once is not requested again. */
export interface Talk {
  /** @throws ChatError; rejects with the signal's reason if it was cancelled */
  ask(question: TalkQuestion, options: TalkOptions): Promise<TalkReply>;
}

/** Opens a conversation with the provider of these settings; sends nothing. */
export function openTalk(settings: AiSettings): Talk {
  const client =
    settings.provider === 'anthropic' ? createAnthropicTalk(settings) : createOpenAiTalk(settings);
  let streamUsage = true;
  return {
    async ask(question, { patient = false, ...options }) {
      const patience: Patience = {
        onNotice: () => undefined,
        ...options,
        streams: true,
        idleSeconds: settings.timeoutSeconds,
        longestPauseSeconds: settings.timeoutSeconds,
        again: 'try again',
        onRestart: null,
      };
      for (;;) {
        const request = {
          ...question,
          model: settings.model,
          maxTokens: settings.maxOutputTokens,
          streamUsage,
        };
        try {
          if (!patient) return await askOnce((one) => client.ask(request, one), patience);
          return await askPatiently((one) => client.ask(request, one), patience);
        } catch (error) {
          const refused = error instanceof ChatError && error.kind === 'refused' ? error.said : '';
          if (!streamUsage || !refused.includes('stream_options')) throw error;
          streamUsage = false;
        }
      }
    },
  };
}
