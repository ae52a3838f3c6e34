/**
 * Handlers of the routes about AI models: requests to a model, settings, suggestions for the editor, and the
 * assistant's jobs.
 */

import type { AI_ROUTES } from '../../../src-shared/wire/routes/ai.ts';
import type { Assistants } from '../../agent/assistants.ts';
import { streamChat } from '../../agent/chatStream.ts';
import { chatRefusal } from '../../agent/failureCode.ts';
import { ChatError } from '../../ai/chat.ts';
import { listOpenAiModels } from '../../ai/openaiChat.ts';
import type { Session } from '../../session/api.ts';
import { identityOf } from '../caller.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, dispatchAndWait, knownCellId, sessionOf } from './sessionOf.ts';

/** A provider's model list is optional, so it gets a short limit (docs/spec/prompts-and-ai.md, 6). */
const MODELS_MS = 10_000;

/**
 * The handlers of the routes about models that answer prompts, and about the assistant (docs/spec/prompts-and-ai.md, 6,
 * 7).
 */
export function aiHandlers({
  sessions,
  assistants,
  refuseWhenDraining,
}: Pick<HandlerContext, 'sessions' | 'refuseWhenDraining'> & {
  readonly assistants: Pick<Assistants, 'of'>;
}): HandlersOf<typeof AI_ROUTES> {
  const assistantOf = (sid: string) => assistants.of(sessionOf(sessions, sid));
  return {
    aiComplete: async ({ params, body, wanted: signalOf }) => {
      refuseWhenDraining();
      const assistant = assistantOf(params.sid);
      return refusedAs(assistant.chat(body, { signal: signalOf(), onText: () => undefined }));
    },
    aiSuggest: async ({ params, body, wanted: signalOf }) => {
      refuseWhenDraining();
      return refusedAs(assistantOf(params.sid).suggest(body, signalOf()));
    },
    aiStream: async ({ params, body, wanted: signalOf }) => {
      refuseWhenDraining();
      const session = sessionOf(sessions, params.sid);
      // A stream that has started can no longer answer 404.
      if (body.cell_id != null) cellOf(session, knownCellId(body.cell_id));
      return streamChat(assistantOf(params.sid), body, signalOf());
    },
    aiAgent: async ({ params, body, caller }) => {
      refuseWhenDraining();
      const origin = { kind: 'caller', identity: identityOf(caller, undefined) } as const;
      return { job_id: assistantOf(params.sid).start(body, origin).id, status: 'started' };
    },
    aiAgentReset: async ({ params }) => {
      await assistantOf(params.sid).reset();
      return { status: 'ok' };
    },
    aiContext: ({ params, body }) => assistantOf(params.sid).preview(body),
    aiAgentStatus: ({ params }) => assistantOf(params.sid).status(),
    aiStatus: async ({ params }) => sessionOf(sessions, params.sid).views.settings.ai().status,
    aiModels: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      const { model: current, provider } = session.views.settings.ai().status;
      return { models: [...(await modelsOf(session))], current, provider };
    },
    setAiModel: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'ai', ai: { model: body.model } } },
        'done',
      );
      return { model: body.model };
    },
    setAi: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'ai', ai: body } },
        'done',
      );
      return session.views.settings.ai().status;
    },
  };
}

/** A failed provider is a refusal to the client. */
async function refusedAs<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ChatError) throw chatRefusal(error);
    throw error;
  }
}

async function modelsOf(session: Session): Promise<readonly string[]> {
  const { reach } = session.views.settings.ai();
  if (reach === null) return [];
  try {
    return await listOpenAiModels(reach, AbortSignal.timeout(MODELS_MS));
  } catch (error) {
    // Many servers have no model list; users can type a model's name instead.
    if (error instanceof ChatError || (error instanceof Error && error.name === 'AbortError')) return [];
    throw error;
  }
}
