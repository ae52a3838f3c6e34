import type { AnswerOf } from './rest.ts';
import { callRoute } from './rest.ts';

export type ConnectionTable = AnswerOf<'connectionSchema'>['tables'][number];

/** Replaces the SQL connections of a notebook. @throws RestError */
export async function saveConnections(
  sid: string,
  connections: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  await callRoute('setConnections', { params: { sid }, body: { connections: [...connections] } });
}

/** Connects as a reading cell would. @throws RestError */
export function tryConnection(sid: string, name: string): Promise<AnswerOf<'testConnection'>> {
  return callRoute('testConnection', { params: { sid, name } });
}
