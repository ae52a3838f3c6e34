import { useStore } from 'zustand';
import type { AssistantState } from '../../live/assistant/assistantStore.ts';
import { useSession } from '../context.ts';

/** A part of the conversation with the assistant. */
export function useAssistant<T>(select: (state: AssistantState) => T): T {
  return useStore(useSession().assistant.store, select);
}
