/** The tools that a job of the assistant may call, bound to one notebook. */

import { randomBytes } from 'node:crypto';
import type {
  AgentBody,
  AgentConfirmRequest,
  AgentDone,
  ContextPreview,
} from '../../src-shared/wire/assistant.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { AssistantLimits } from '../ai/aiSettings.ts';
import type { ConversationMessage, ConversationReply, ToolCall, ToolSpec } from '../ai/conversation.ts';
import { tryParseJson } from '../lib/tryParseJson.ts';
import type { Logger } from '../observe/log.ts';
import type { Origin } from '../session/state/requests.ts';
import { TableError, type TableService } from '../table/service/tableService.ts';
import type { AgentNotebook } from './agentNotebook.ts';
import { createConfirmations } from './confirmations.ts';
import type { Fence } from './fence.ts';
import { headOf, hideInJson } from './hide.ts';
import type { JobFrames } from './jobFrames.ts';
import { isReading, performReading, planChange, type ReadCall, readCall } from './tools/callTool.ts';
import {
  errorOutcome,
  type Plan,
  successOutcome,
  type ToolContext,
  type ToolOutcome,
} from './tools/toolContext.ts';
import { CONFIRMED_TOOLS } from './tools/toolSpecs.ts';
import { createUndoStep } from './undoStep.ts';

interface JobToolsOptions {
  readonly id: string;
  readonly notebook: AgentNotebook;
  readonly tables: Pick<TableService, 'summary'>;
  readonly body: AgentBody;
  readonly limits: AssistantLimits;
  readonly origin: Origin;
  readonly frames: JobFrames;
  readonly fence: Fence;
  readonly specs: readonly ToolSpec[];
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** The tools of one job. Changes are made one at a time, and confirmed if required. */
interface JobTools {
  /** Records the parts of the notebook that the model has read, because it may only change those cells. */
  markRead(parts: ContextPreview['parts']): void;
  /** Performs the calls of one turn. @returns their results, in order. @throws the signal's reason */
  perform(reply: ConversationReply): Promise<readonly ConversationMessage[]>;
  answer(requestId: string | null, approved: boolean): boolean;
  confirmation(): AgentConfirmRequest | null;
  calls(): AgentDone['tool_calls'];
  undoId(): string | null;
}

/** Maximum characters of a result in a frame. */
const MAX_RESULT = 500;
const CUT_OFF =
  'The response was cut off at its limit of tokens, so none of its calls was performed. Make one smaller change at a time.';

export function createJobTools(options: JobToolsOptions): JobTools {
  const { id, notebook, body, limits, frames, signal, log } = options;
  const undo = createUndoStep(notebook, id);
  const confirmations = createConfirmations();
  const offeredTools = new Set(options.specs.map(({ name }) => name));
  const doneCalls: AgentDone['tool_calls'] = [];
  let pending: AgentConfirmRequest | null = null;
  const context: ToolContext = {
    ...options,
    leaveOut: new Set(body.leave_out),
    seen: new Map(),
    textBefore: (cellId) => undo.textBefore(cellId),
    change: async (planned, make) => {
      const problem = await undo.make(planned, make);
      if (problem !== null) frames.progress('notice', problem);
    },
  };
  const hideInArguments = (args: unknown): unknown => hideInJson(args, notebook.views.notebook.redactor());

  const isApproved = async (call: ReadCall, plan: Plan): Promise<ToolOutcome | null> => {
    const mustAsk = body.confirm_all || (!body.auto_approve && CONFIRMED_TOOLS.includes(call.tool));
    if (!mustAsk) return null;
    const preview = await plan.preview();
    signal.throwIfAborted();
    const requestId = randomBytes(6).toString('hex');
    const args = hideInArguments(call.args) as Record<string, unknown>; // arguments are an object
    const timeoutMs = limits.approvalTimeoutSeconds * 1000;
    const answering = confirmations.ask(requestId, { timeoutMs, signal });
    pending = {
      job_id: id,
      request_id: requestId,
      tool: call.tool,
      arguments: args,
      args,
      summary: plan.summary,
      preview: hideInArguments(preview) as typeof preview, // the shape does not change
      expires_at: new Date(Date.now() + timeoutMs).toISOString(),
    };
    frames.confirm(pending);
    try {
      const answer = await answering;
      frames.progress('confirmed', `${plan.summary}: ${answer}`, { request_id: requestId, answer });
      if (answer === 'approved') return null;
      return successOutcome(
        answer === 'declined'
          ? 'declined: the person does not want this change.'
          : `declined: no confirmation within ${limits.approvalTimeoutSeconds} s.`,
      );
    } finally {
      pending = null;
    }
  };

  const change = async (call: ReadCall): Promise<ToolOutcome> => {
    const planned = planChange(context, call);
    if ('outcome' in planned) return planned.outcome;
    const declined = await isApproved(call, planned.plan);
    if (declined !== null) return declined;
    signal.throwIfAborted();
    return planned.plan.apply();
  };

  const outcomeOf = async (call: ToolCall, isCut: boolean): Promise<ToolOutcome> => {
    if (isCut) return errorOutcome(CUT_OFF);
    const parsedCall = readCall(call, offeredTools);
    if ('problem' in parsedCall) return errorOutcome(parsedCall.problem);
    try {
      return await (isReading(parsedCall.call.tool)
        ? performReading(context, parsedCall.call)
        : change(parsedCall.call));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError || error instanceof TableError) return errorOutcome(error.message);
      log.error({ err: error, tool: call.name }, 'a tool of the assistant failed');
      return errorOutcome('The tool failed because of an internal error.');
    }
  };

  const perform = async (call: ToolCall, isCut: boolean): Promise<ConversationMessage> => {
    const { id: callId, name: tool } = call;
    const args = hideInArguments(tryParseJson(call.arguments) ?? call.arguments);
    frames.progress('tool_call', tool, { tool, arguments: args, tool_call_id: callId });
    const startedMs = performance.now();
    let outcome: ToolOutcome = errorOutcome('Cancelled before it finished.');
    try {
      outcome = await outcomeOf(call, isCut);
    } finally {
      const result = headOf(notebook.views.notebook.redactor().text(outcome.text), MAX_RESULT);
      const duration_ms = Math.round(performance.now() - startedMs);
      doneCalls.push({ tool, args, result, duration_ms });
      frames.progress('tool_result', `${tool}: ${result}`, {
        tool,
        tool_call_id: callId,
        result,
        duration_ms,
        is_error: outcome.isError,
      });
    }
    const { text, isError, images } = outcome;
    return { role: 'tool', callId, text, isError, ...(images === undefined ? {} : { images }) };
  };

  return {
    markRead(parts) {
      for (const { kind, cell_id: cellId, cut } of parts) {
        const cell =
          kind !== 'cell' || cut ? undefined : notebook.views.cells.all().find((one) => one.id === cellId);
        if (cell !== undefined) context.seen.set(cell.id, cell.source);
      }
    },
    async perform({ calls, isCut }) {
      const results: ConversationMessage[] = [];
      for (let at = 0; at < calls.length; ) {
        signal.throwIfAborted();
        // Calls that only read run at the same time; a change waits for earlier calls.
        const end = calls.findIndex((call, index) => index >= at && !isReading(call.name));
        const next = end === at ? at + 1 : end === -1 ? calls.length : end;
        const together = await Promise.allSettled(calls.slice(at, next).map((call) => perform(call, isCut)));
        for (const result of together) {
          if (result.status === 'rejected') throw result.reason;
          results.push(result.value);
        }
        at = next;
      }
      return results;
    },
    answer: (requestId, approved) => confirmations.answer(requestId, approved),
    confirmation: () => pending,
    calls: () => doneCalls,
    undoId: () => undo.id,
  };
}
