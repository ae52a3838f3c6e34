/** The store of a window's conversation with the assistant, read by its components. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AssistantMode, Turn } from '../../state/assistant/turns.ts';

/** A window's state of the conversation with the assistant. */
export interface AssistantState {
  readonly turns: readonly Turn[];
  readonly mode: AssistantMode;
  /** The message being written. */
  readonly draft: string;
  /** The cell that the message is about. */
  readonly aboutId: string | null;
  /** The turn whose message is being edited: sending replaces it and all later turns. */
  readonly editingId: number | null;
  /** Cells that are not sent to the model. */
  readonly leaveOut: readonly string[];
  /** Counts requests to focus the field; each increase focuses it. */
  readonly asked: number;
  /** True once the server's history has been read. */
  readonly isRead: boolean;
  readonly view: 'talk' | 'changes';
  /** Changes of agents that the person has accepted, by key. */
  readonly accepted: readonly string[];
  /** Whether the page scrolls to the cell that an agent changes. */
  readonly follow: boolean;
  /** A problem with the conversation as a whole; null if there is none. */
  readonly problem: string | null;
}

export type AssistantStore = StoreApi<AssistantState>;

export function createAssistantStore(): AssistantStore {
  return createStore<AssistantState>(() => ({
    turns: [],
    mode: 'ask',
    draft: '',
    aboutId: null,
    editingId: null,
    leaveOut: [],
    asked: 0,
    isRead: false,
    view: 'talk',
    accepted: [],
    follow: true,
    problem: null,
  }));
}
