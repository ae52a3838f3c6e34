import type { AI_ROUTES } from '../../../src-shared/wire/routes/ai.ts';
import { ChatError } from '../../ai/chat.ts';
import { listOpenAiModels } from '../../ai/openaiChat.ts';
import type { Session } from '../../session/api.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { ask, sessionOf } from './sessionOf.ts';

/** A provider's list is a help, not worth waiting for (prompts-and-ai 6). */
const MODELS_MS = 10_000;

/** Models that answer prompts (prompts-and-ai 6). */
export function aiHandlers({ sessions }: Pick<HandlerContext, 'sessions'>): HandlersOf<typeof AI_ROUTES> {
  return {
    aiStatus: async ({ params }) => sessionOf(sessions, params.sid).ai().status,
    aiModels: async ({ params }) => {
      const session = sessionOf(sessions, params.sid);
      const { model: current, provider } = session.ai().status;
      return { models: [...(await modelsOf(session))], current, provider };
    },
    setAiModel: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await ask(
        { session, caller },
        { type: 'change_settings', change: { of: 'ai', ai: { model: body.model } } },
        'done',
      );
      return { model: body.model };
    },
    setAi: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await ask({ session, caller }, { type: 'change_settings', change: { of: 'ai', ai: body } }, 'done');
      return session.ai().status;
    },
  };
}

async function modelsOf(session: Session): Promise<readonly string[]> {
  const { reach } = session.ai();
  if (reach === null) return [];
  try {
    return await listOpenAiModels(reach, AbortSignal.timeout(MODELS_MS));
  } catch (error) {
    // Many servers have no such list; the name of a model can be typed all the same.
    if (error instanceof ChatError || (error instanceof Error && error.name === 'AbortError')) return [];
    throw error;
  }
}
