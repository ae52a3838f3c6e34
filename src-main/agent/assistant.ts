/** The assistant of an open notebook: its chat and its jobs. The server creates one per notebook. */

import { randomBytes } from 'node:crypto';
import type {
  AgentBody,
  AgentStatus,
  ChatBody,
  ContextBody,
  ContextPreview,
  SuggestAnswer,
  SuggestBody,
} from '../../src-shared/wire/assistant.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { AiSettings } from '../ai/aiSettings.ts';
import { type Conversation, openConversation } from '../ai/openConversation.ts';
import type { Logger } from '../observe/log.ts';
import type { Origin } from '../session/state/requests.ts';
import type { TableService } from '../table/service/tableService.ts';
import type { AgentNotebook } from './agentNotebook.ts';
import { chatMessages, previewContext } from './chatMessages.ts';
import { createFence } from './fence.ts';
import { type Job, startJob } from './job.ts';
import { createMemory } from './memory.ts';
import { SUGGESTION_TOKENS, suggestionIn, suggestMessages } from './suggestion.ts';
import { toolSpecs } from './tools/toolSpecs.ts';
import { createUsage } from './usage.ts';

interface ChatAnswer {
  readonly content: string;
  readonly model: string;
  readonly tokens: { readonly input: number; readonly output: number };
}

/** The assistant of one open notebook: a chat that only answers, and one job at a time that acts. */
export interface Assistant {
  /**
   * What a request would contain. Sends nothing.
   * @throws AppError not_found
   */
  preview(body: ContextBody): Promise<ContextPreview>;
  /**
   * The provider, if requests can be sent now; streaming callers check this first.
   * @throws AppError ai_unavailable, NOTEBOOK_UNTRUSTED, read_only
   */
  requireProvider(): AiSettings;
  /** @throws AppError as requireProvider, not_found; ChatError; the signal's reason */
  chat(
    body: ChatBody,
    options: { readonly signal: AbortSignal; readonly onText: (text: string) => void },
  ): Promise<ChatAnswer>;
  /**
   * A text to insert at the caret of a cell; '' if there is none or nothing may be sent.
   * @throws AppError as requireProvider, not_found; ChatError; the signal's reason
   */
  suggest(body: SuggestBody, signal: AbortSignal): Promise<SuggestAnswer>;
  /** @throws AppError as requireProvider; conflict while a job runs */
  start(body: AgentBody, origin: Origin): Job;
  /** Cancels the job with this id; null: the running one. */
  cancel(jobId: string | null): void;
  /** Answers the pending question; an answer to any other question has no effect. */
  answer(response: {
    readonly jobId: string | null;
    readonly requestId: string | null;
    readonly approved: boolean;
  }): void;
  /** Cancels the job, and forgets the conversation. */
  reset(): Promise<void>;
  status(): Promise<AgentStatus>;
  /** Cancels the job and waits for its end. */
  close(): Promise<void>;
}

export interface AssistantTools {
  readonly tables: Pick<TableService, 'summary'>;
  readonly log: Logger;
  /** For tests: the conversation with a provider. */
  readonly open?: (settings: AiSettings) => Conversation;
}

export function createAssistant(
  notebook: AgentNotebook,
  { tables, log, open = openConversation }: AssistantTools,
): Assistant {
  const memory = createMemory(notebook.path, () => notebook.views.notebook.hold !== 'held');
  const usage = createUsage();
  let job: Job | null = null;

  const requireProvider = (): AiSettings => {
    const { assistant, whyNot } = notebook.views.settings.ai();
    if (assistant !== null) return assistant;
    throw whyNot ?? new AppError('ai_unavailable', 'No AI provider is configured.');
  };

  return {
    requireProvider,
    async preview(body) {
      const specs = toolSpecs({ extra: body.extra_tools });
      const history = body.for === 'agent' ? (await memory.load()).turns : [];
      return previewContext(notebook, body, { fence: createFence(), tools: specs, history });
    },
    async chat(body, { signal, onText }) {
      const settings = requireProvider();
      const { messages } = chatMessages(notebook, body, createFence());
      const lane = notebook.views.notebook.redactor().stream();
      const pieces: string[] = [];
      const show = (text: string): void => {
        if (text === '') return;
        pieces.push(text);
        onText(text);
      };
      const asking = open(settings).ask(
        { messages, tools: [], mayCall: false },
        {
          signal: AbortSignal.any([signal, notebook.lifetime.ended]),
          onText: (piece) => show(lane.push(piece)),
          onData: () => notebook.lifetime.touch(),
        },
      );
      const reply = await asking.catch((error: unknown) => {
        throw notebook.lifetime.ended.aborted ? new AppError('conflict', 'The session is closing.') : error;
      });
      show(lane.end());
      if (reply.isCut) {
        show(`\n\n(The answer was cut off at the limit of ${settings.maxOutputTokens} tokens.)`);
      }
      const tokens = { input: reply.inputTokens ?? 0, output: reply.outputTokens ?? 0 };
      usage.count(settings.model, tokens);
      return { content: pieces.join(''), model: settings.model, tokens };
    },
    async suggest(body, signal) {
      const settings = requireProvider();
      const { model } = settings;
      const messages = suggestMessages(notebook, body, createFence());
      if (messages === null) return { text: '', model, tokens: { input: 0, output: 0 } };
      const maxOutputTokens = Math.min(settings.maxOutputTokens, SUGGESTION_TOKENS);
      const asking = open({ ...settings, maxOutputTokens }).ask(
        { messages, tools: [], mayCall: false },
        { signal: AbortSignal.any([signal, notebook.lifetime.ended]), onText: () => undefined },
      );
      const reply = await asking.catch((error: unknown) => {
        throw notebook.lifetime.ended.aborted ? new AppError('conflict', 'The session is closing.') : error;
      });
      const tokens = { input: reply.inputTokens ?? 0, output: reply.outputTokens ?? 0 };
      usage.count(model, tokens);
      const redactedReply = { ...reply, text: notebook.views.notebook.redactor().text(reply.text) };
      return { text: suggestionIn(redactedReply, body), model, tokens };
    },
    start(body, origin) {
      const settings = requireProvider();
      if (job !== null) {
        throw new AppError(
          'conflict',
          'The assistant is already working. Wait until it is done, or stop it.',
        );
      }
      const started = startJob({
        id: randomBytes(4).toString('hex'),
        notebook,
        tables,
        settings,
        body,
        origin,
        memory,
        usage,
        log,
        limits: notebook.views.settings.ai().limits,
        talk: open(settings),
        onEnd: () => {
          job = null;
        },
      });
      job = started;
      return started;
    },
    cancel(jobId) {
      if (job !== null && (jobId === null || job.id === jobId)) job.cancel();
    },
    answer({ jobId, requestId, approved }) {
      if (job !== null && (jobId === null || job.id === jobId)) job.answer(requestId, approved);
    },
    async reset() {
      const running = job;
      running?.cancel();
      await running?.ended;
      await memory.clear();
    },
    async status() {
      const { turns, problem } = await memory.load();
      return { job: job?.status() ?? null, history: [...turns], problem, usage: usage.byModel() };
    },
    async close() {
      const running = job;
      running?.cancel();
      await running?.ended;
    },
  };
}
