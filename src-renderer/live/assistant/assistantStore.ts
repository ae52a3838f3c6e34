/** State of the assistant's conversation. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AssistantMode, Turn } from '../../state/assistant/turns.ts';

/** What a window holds of the conversation with the assistant. */
export interface AssistantState {
  readonly turns: readonly Turn[];
  readonly mode: AssistantMode;
  /** The message being written. */
  readonly draft: string;
  /** The cell that the message is about. */
  readonly aboutId: string | null;
  /** The turn whose message is written again: sending replaces it and what follows. */
  readonly editingId: number | null;
  /** Cells that are not sent. */
  readonly leaveOut: readonly string[];
  /** How often the field was asked for: each time it gets the focus. */
  readonly asked: number;
  /** What the server remembers was read. */
  readonly isRead: boolean;
  readonly view: 'talk' | 'changes';
  /** Changes of agents that the person has accepted, by key. */
  readonly accepted: readonly string[];
  /** The page scrolls to the cell that an agent changes. */
  readonly follow: boolean;
  /** A remark on the conversation itself. */
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
