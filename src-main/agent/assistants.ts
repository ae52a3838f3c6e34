import type { SessionId } from '../../src-shared/notebook/ids.ts';
import type { AgentNotebook } from './agentNotebook.ts';
import { type Assistant, type AssistantTools, createAssistant } from './assistant.ts';

/** The assistants of a server's open notebooks: each is created on first use and ends with its session. */
export interface Assistants {
  of(notebook: AgentNotebook): Assistant;
  /** Cancels every job and waits for all of them to end. */
  close(): Promise<void>;
}

export function createAssistants(tools: AssistantTools): Assistants {
  const assistantsById = new Map<
    SessionId,
    { readonly notebook: AgentNotebook; readonly assistant: Assistant }
  >();
  return {
    of(notebook) {
      const before = assistantsById.get(notebook.id);
      // Another session may have replaced the one with this id.
      if (before?.notebook === notebook) return before.assistant;
      const assistant = createAssistant(notebook, tools);
      assistantsById.set(notebook.id, { notebook, assistant });
      const forget = (): void => {
        if (assistantsById.get(notebook.id)?.notebook === notebook) assistantsById.delete(notebook.id);
      };
      if (notebook.lifetime.ended.aborted) forget();
      else notebook.lifetime.ended.addEventListener('abort', forget, { once: true });
      return assistant;
    },
    async close() {
      await Promise.all([...assistantsById.values()].map(({ assistant }) => assistant.close()));
    },
  };
}
