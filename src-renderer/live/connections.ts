/** SQL connections of the notebook: requests that store them, test one, and list its tables. */

import { applyOwnSettings } from '../state/applyOwn.ts';
import type { NotebookStore } from '../state/notebookStore.ts';
import { type ConnectionTables, createConnectionTables, readTablesOf } from './connectionTables.ts';
import { type AnswerOf, callRoute } from './rest.ts';

/** Requests about connections. Only the window that changes them receives the new settings. */
export interface Connections {
  /** Replaces all connections; masked values are unchanged. @throws RestError as every method */
  readonly set: (connections: readonly Readonly<Record<string, unknown>>[]) => Promise<void>;
  /** Connects as a cell that only reads would. */
  readonly test: (name: string) => Promise<AnswerOf<'testConnection'>>;
  readonly tables: ConnectionTables;
}

export function createConnections(store: NotebookStore): Connections {
  const sid = (): string => store.getState().sessionId;
  return {
    async set(connections) {
      const body = { connections: [...connections] };
      const answer = await callRoute('setConnections', { params: { sid: sid() }, body });
      store.setState({ model: applyOwnSettings(store.getState().model, answer) });
    },
    test: (name) => callRoute('testConnection', { params: { sid: sid(), name } }),
    tables: createConnectionTables(readTablesOf(sid)),
  };
}
