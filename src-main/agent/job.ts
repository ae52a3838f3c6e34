/**
 * One job of the assistant: requests replies of the model, performs its tool calls, and sends frames until
 * the job ends.
 */

import { undoMarkOf } from '../../src-shared/notebook/undoMark.ts';
import type { AgentBody, AgentDone, AgentStatus } from '../../src-shared/wire/assistant.ts';
import type { UndoMark } from '../../src-shared/wire/undo.ts';
import type { AiSettings, AssistantLimits } from '../ai/aiSettings.ts';
import { ChatError } from '../ai/chat.ts';
import type { ConversationMessage, ConversationReply } from '../ai/conversation.ts';
import type { Conversation } from '../ai/openConversation.ts';
import type { Logger } from '../observe/log.ts';
import { createDeltaFeed } from '../run/prompt/deltaFeed.ts';
import type { Origin } from '../session/state/requests.ts';
import type { TableService } from '../table/service/tableService.ts';
import type { AgentNotebook } from './agentNotebook.ts';
import { agentMessages } from './chatMessages.ts';
import { CHARACTERS_PER_TOKEN } from './context.ts';
import { failureCode } from './failureCode.ts';
import { createFence } from './fence.ts';
import { SUMMARY_REQUEST } from './instructions.ts';
import { createJobFrames } from './jobFrames.ts';
import { createJobTools } from './jobTools.ts';
import type { Memory } from './memory.ts';
import { shortenMessages } from './shortenMessages.ts';
import { toolSpecs } from './tools/toolSpecs.ts';
import type { Usage } from './usage.ts';

/** Maximum turns of the model with tools (docs/spec/prompts-and-ai.md, 7). */
const MAX_ITERATIONS = 10;

interface JobOptions {
  readonly id: string;
  readonly notebook: AgentNotebook;
  readonly tables: Pick<TableService, 'summary'>;
  readonly talk: Conversation;
  readonly settings: AiSettings;
  readonly limits: AssistantLimits;
  readonly body: AgentBody;
  readonly origin: Origin;
  readonly memory: Pick<Memory, 'load' | 'add'>;
  readonly usage: Usage;
  readonly log: Logger;
  /** Called before the last frames: another job may start. */
  readonly onEnd: () => void;
}

/** One request to the assistant, from its first frame to its last. */
export interface Job {
  readonly id: string;
  /** Resolves after the last frame. Never rejects. */
  readonly ended: Promise<void>;
  /** Stops it at any time: during a request to the model, a question, a run or an installation. */
  cancel(): void;
  /** Answers the pending question; without an id, whichever is pending. */
  answer(requestId: string | null, approved: boolean): boolean;
  status(): NonNullable<AgentStatus['job']>;
}

/** Starts a job. Its last frame is `agent_done`, also after a cancellation. */
export function startJob(options: JobOptions): Job {
  const { id, notebook, body, settings, limits, memory, usage, talk, log } = options;
  const cancelling = new AbortController();
  const signal = AbortSignal.any([cancelling.signal, notebook.lifetime.ended]);
  const frames = createJobFrames(notebook, id);
  const fence = createFence();
  const specs = toolSpecs({ extra: body.extra_tools });
  const tools = createJobTools({ ...options, frames, fence, signal, specs });
  const tokens = { input: 0, output: 0 };
  let iteration = 0;
  let text = '';

  /** Requests one reply of the model; its text is sent to the windows as it arrives. */
  const ask = async (
    messages: readonly ConversationMessage[],
    mayCall: boolean,
  ): Promise<ConversationReply> => {
    const lane = notebook.views.notebook.redactor().stream();
    const feed = createDeltaFeed((delta) => frames.text(delta.text));
    text = '';
    const show = (piece: string): void => {
      if (piece === '') return;
      const isFirst = text === '';
      text += piece;
      feed.text(piece);
      // The first text is sent at once, the rest in few frames.
      if (isFirst) feed.end();
    };
    try {
      const reply = await talk.ask(
        { messages, tools: specs, mayCall },
        {
          signal,
          patient: true,
          onText: (piece) => show(lane.push(piece)),
          onNotice: (notice) => frames.progress('notice', notice),
          onData: () => notebook.lifetime.touch(),
        },
      );
      const used = { input: reply.inputTokens ?? 0, output: reply.outputTokens ?? 0 };
      tokens.input += used.input;
      tokens.output += used.output;
      usage.count(settings.model, used);
      return reply;
    } finally {
      show(lane.end());
      feed.end();
    }
  };

  const work = async (): Promise<string> => {
    const { turns } = await memory.load();
    const outgoing = agentMessages(notebook, { ...body, history: turns }, { fence, tools: specs });
    tools.markRead(outgoing.parts);
    let messages = outgoing.messages;
    for (iteration = 1; iteration <= MAX_ITERATIONS; iteration += 1) {
      signal.throwIfAborted();
      const place = { index: iteration, max: MAX_ITERATIONS };
      frames.progress('iteration', `Step ${iteration} of at most ${MAX_ITERATIONS}`, place);
      const reply = await ask(messages, true);
      if (reply.calls.length === 0) return finalText(reply);
      const results = await tools.perform(reply);
      const assistantTurn: ConversationMessage = { role: 'assistant', text: reply.text, calls: reply.calls };
      messages = shortenMessages(
        [...messages, assistantTurn, ...results],
        limits.maxContextTokens * CHARACTERS_PER_TOKEN,
      );
    }
    iteration = MAX_ITERATIONS;
    signal.throwIfAborted();
    return finalText(await ask([...messages, { role: 'user', text: SUMMARY_REQUEST }], false));
  };

  const finalText = ({ isCut }: ConversationReply): string =>
    isCut ? `${text}\n\n(The answer was cut off at the limit of ${settings.maxOutputTokens} tokens.)` : text;

  /**
   * The position in the undo record before the job; null if the record cannot be read, so that the job cannot
   * be reverted as a whole.
   */
  const markOf = async (): Promise<UndoMark | null> => {
    if (body.mark !== undefined) return body.mark;
    try {
      const { stack, forgotten } = await notebook.views.editor.undoRecord.load();
      return undoMarkOf(stack.done, forgotten);
    } catch (failure) {
      log.warn({ err: failure, job_id: id }, 'the undo record could not be read');
      return null;
    }
  };

  /** Stores the conversation; a failure to do so does not fail the job. */
  const remember = async (content: string, mark: UndoMark | null): Promise<void> => {
    try {
      const redactedMessage = notebook.views.notebook.redactor().text(body.message);
      await memory.add([
        { role: 'user', content: redactedMessage, ...(mark === null ? {} : { mark }) },
        { role: 'assistant', content },
      ]);
    } catch (failure) {
      log.warn({ err: failure, job_id: id }, 'the conversation with the assistant was not saved');
      frames.progress(
        'notice',
        'The conversation could not be saved; it is remembered until the notebook closes.',
      );
    }
  };

  const run = async (): Promise<void> => {
    frames.progress('started', body.message, { model: settings.model, provider: settings.provider });
    let content = '';
    let error: string | null = null;
    let errorCode: string | null = null;
    try {
      const mark = await markOf();
      content = await work();
      if (!signal.aborted) await remember(content, mark);
    } catch (failure) {
      content = text;
      if (!signal.aborted) {
        error = messageOf(failure, log);
        errorCode = failureCode(failure);
      }
    }
    const cancelled = signal.aborted;
    if (cancelled) error = null;
    const result: Omit<AgentDone, 'job_id'> = {
      content,
      model: settings.model,
      tokens,
      iterations: iteration,
      cancelled,
      error,
      ...(error === null ? {} : { error_code: errorCode }),
      tool_calls: [...tools.calls()],
      undo_id: tools.undoId(),
    };
    options.onEnd();
    if (cancelled) frames.progress('cancelled', 'The job was cancelled');
    else if (error !== null) frames.progress('error', error);
    else frames.progress('done', 'Done');
    frames.done(result);
  };

  const runEnd = run().catch((error: unknown) => {
    log.error({ err: error, job_id: id }, 'a job of the assistant failed');
    options.onEnd();
  });
  return {
    id,
    ended: runEnd,
    cancel: () => cancelling.abort(new Error('The job was cancelled.')),
    answer: (requestId, approved) => tools.answer(requestId, approved),
    status: () => ({
      job_id: id,
      message: notebook.views.notebook.redactor().text(body.message),
      iteration,
      text,
      tokens: { ...tokens },
      confirmation: tools.confirmation(),
    }),
  };
}

function messageOf(failure: unknown, log: Logger): string {
  if (failure instanceof ChatError) return failure.message;
  log.error({ err: failure }, 'a job of the assistant failed');
  return 'The job failed because of an internal error. The log has the details.';
}
