/** Passes the live frames about the assistant's jobs to the assistant instead of the session. */

import type { ClientFrame } from '../../../src-shared/wire/frames/client.ts';
import type { Assistant } from '../../agent/assistant.ts';
import type { SessionFrame } from './requestOf.ts';

/** Passes a frame to the assistant; false for a frame of the session. */
export function handleAssistantFrame(
  frame: ClientFrame,
  assistant: () => Pick<Assistant, 'cancel' | 'answer'>,
): frame is Exclude<ClientFrame, SessionFrame> {
  switch (frame.type) {
    case 'agent_cancel':
      assistant().cancel(frame.payload.job_id ?? null);
      return true;
    case 'agent_confirm_response': {
      const { job_id: jobId, request_id: requestId, approved } = frame.payload;
      assistant().answer({ jobId: jobId ?? null, requestId: requestId ?? null, approved });
      return true;
    }
    default:
      return false;
  }
}
