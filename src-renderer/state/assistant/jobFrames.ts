/** Applies the frames of an assistant's job (with tools) to its turn in the conversation. Pure. */

import type { AgentDone, AgentProgress, AgentStatus } from '../../../src-shared/wire/assistant.ts';
import type { ReceivedFrame } from '../../../src-shared/wire/frames/server.ts';
import { type Step, type Turn, withEnd, withStep, withText, withWholeText } from './turns.ts';

/** The frames about a job. */
export type JobFrame = Extract<
  ReceivedFrame,
  { type: 'agent_text_delta' | 'agent_confirm_request' | 'agent_progress' | 'agent_done' }
>;

export function isJobFrame(frame: ReceivedFrame): frame is JobFrame {
  return (
    frame.type === 'agent_text_delta' ||
    frame.type === 'agent_confirm_request' ||
    frame.type === 'agent_progress' ||
    frame.type === 'agent_done'
  );
}

/**
 * A turn after a frame of its job.
 * @param nowMs by this window's clock
 */
export function afterJobFrame(turn: Turn, frame: JobFrame, nowMs: number): Turn {
  switch (frame.type) {
    case 'agent_text_delta':
      return withText(running(turn), frame.payload.text);
    case 'agent_confirm_request': {
      // The waiting time by the server's clock, from which the clock of this window may differ.
      const waitMs = Date.parse(frame.payload.expires_at) - Date.parse(frame.ts);
      return { ...running(turn), question: { request: frame.payload, deadlineMs: nowMs + waitMs } };
    }
    case 'agent_progress':
      return afterProgress(turn, frame.payload, frame.seq);
    case 'agent_done':
      return afterDone(turn, frame.payload);
  }
}

function running(turn: Turn): Turn {
  return turn.state === 'starting' ? { ...turn, state: 'running' } : turn;
}

function afterProgress(turn: Turn, { event, detail, data }: AgentProgress, seq: number): Turn {
  switch (event) {
    case 'started':
      return { ...running(turn), model: stringOf(data['model']) ?? turn.model };
    case 'tool_call':
      return withStep(turn, {
        kind: 'step',
        id: stringOf(data['tool_call_id']) ?? `${seq}`,
        tool: stringOf(data['tool']) ?? detail,
        subject: subjectOf(data['arguments']),
        state: 'running',
        detail: '',
      });
    case 'tool_result': {
      const id = stringOf(data['tool_call_id']) ?? `${seq}`;
      const called = turn.pieces.find((piece): piece is Step => piece.kind === 'step' && piece.id === id);
      const result = stringOf(data['result']) ?? detail;
      const state =
        data['is_error'] === true ? 'failed' : result.startsWith('declined:') ? 'declined' : 'done';
      const tool = called?.tool ?? stringOf(data['tool']);
      return withStep(turn, {
        kind: 'step',
        id,
        tool,
        subject: called?.subject ?? null,
        state,
        detail: result,
      });
    }
    case 'notice': {
      const step = { tool: null, subject: null, state: 'done', detail } as const;
      return withStep(turn, { kind: 'step', id: `notice ${seq}`, ...step });
    }
    case 'confirmed': {
      const answered = turn.question?.request.request_id === data['request_id'];
      return answered ? { ...turn, question: null } : turn;
    }
    // `agent_done` repeats what the other stages said.
    case 'iteration':
    case 'cancelled':
    case 'error':
    case 'done':
      return turn;
  }
}

function afterDone(turn: Turn, done: AgentDone): Turn {
  const { content, model, tokens, cancelled, error, undo_id: undoId } = done;
  const state = cancelled ? 'cancelled' : error === null ? 'done' : 'failed';
  const failure = error === null ? null : { code: done.error_code ?? 'ai_failed', message: error };
  return withEnd(withWholeText(turn, content), { state, failure, model, tokens, undoId });
}

/** The turn of a job that had started before this window was connected. */
export function afterStatus(turn: Turn, job: NonNullable<AgentStatus['job']>, nowMs: number): Turn {
  const { confirmation, text, tokens, job_id: jobId } = job;
  return {
    ...withWholeText(running(turn), text),
    jobId,
    tokens,
    question:
      confirmation === null
        ? null
        : {
            request: confirmation,
            deadlineMs:
              turn.question?.request.request_id === confirmation.request_id
                ? turn.question.deadlineMs
                : Math.max(nowMs, Date.parse(confirmation.expires_at)),
          },
  };
}

function subjectOf(args: unknown): string | null {
  if (typeof args !== 'object' || args === null) return null;
  const named = args as Readonly<Record<string, unknown>>;
  for (const key of ['variable_name', 'package_spec', 'text', 'variable']) {
    const value = stringOf(named[key]);
    if (value !== null) return value;
  }
  return null;
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
