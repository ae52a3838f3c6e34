import type { AgentConfirmRequest, AgentDone, AgentProgress } from '../../src-shared/wire/assistant.ts';
import type { ServerFrame } from '../../src-shared/wire/frames/server.ts';
import type { AgentNotebook } from './agentNotebook.ts';
import { headOf } from './hide.ts';

/**
 * Sends the live frames of one job of the assistant (docs/spec/prompts-and-ai.md, 7) to every window of the notebook.
 */
export interface JobFrames {
  text(text: string): void;
  /** `detail` is a line for users; its secrets are hidden. */
  progress(event: AgentProgress['event'], detail: string, data?: Readonly<Record<string, unknown>>): void;
  confirm(request: AgentConfirmRequest): void;
  /** The end of the job, with the notebook at that time. */
  done(result: Omit<AgentDone, 'job_id'>): void;
}

const MAX_DETAIL = 200;

export function createJobFrames(notebook: AgentNotebook, jobId: string): JobFrames {
  const send = (...frames: readonly ServerFrame[]): void =>
    notebook.announce(frames.map((frame) => ({ frame, to: { kind: 'all' } })));
  return {
    text: (text) => send({ type: 'agent_text_delta', payload: { job_id: jobId, text } }),
    progress: (event, detail, data = {}) => {
      const redactedDetail = headOf(notebook.views.notebook.redactor().text(detail), MAX_DETAIL);
      send({
        type: 'agent_progress',
        payload: { job_id: jobId, event, detail: redactedDetail, data: { ...data } },
      });
    },
    confirm: (request) => send({ type: 'agent_confirm_request', payload: request }),
    done: (result) =>
      send(
        { type: 'agent_done', payload: { job_id: jobId, ...result } },
        {
          type: 'notebook_state',
          payload: { ...notebook.views.notebook.body(), dag: notebook.views.notebook.linkedDag() },
        },
      ),
  };
}
