import { useStore } from 'zustand';
import type { AssistantState } from '../../live/assistant/assistantStore.ts';
import { useSession } from '../context.ts';

/** Hook for a part of the notebook's conversation with the assistant, such as its turns. */
export function useAssistant<T>(select: (state: AssistantState) => T): T {
  return useStore(useSession().assistant.store, select);
}
