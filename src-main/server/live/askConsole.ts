/** Evaluates an expression in the console inside a cell, for REST and MCP clients, which have no live socket. */

import { randomUUID } from 'node:crypto';
import type { CellId, SessionId } from '../../../src-shared/notebook/ids.ts';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import type { Session } from '../../session/api.ts';
import { NOTHING_OPEN } from '../../session/state/inspectState.ts';
import type { SessionRequest } from '../../session/state/requests.ts';
import type { Receiver } from './broadcast.ts';

type InspectResult = ServerPayload<'inspect_result'>;
type Listen = (sid: SessionId, socketId: string, receiver: Receiver) => (() => void) | null;

/**
 * Evaluates one expression in a cell's console for a client without a socket. If a console of the cell is open, it is
 * used and stays open; otherwise one is opened and closed again. Each cell evaluates one such expression at a time. The
 * console itself limits the duration.
 */
export function createAskConsole(listen: Listen) {
  const turns = new WeakMap<Session, Map<CellId, ReturnType<typeof createSerialRunner>>>();
  return async (
    session: Session,
    request: { readonly cellId: CellId; readonly expression: string; readonly identity: string },
  ): Promise<InspectResult> => {
    const ofCells = turns.get(session) ?? new Map<CellId, ReturnType<typeof createSerialRunner>>();
    turns.set(session, ofCells);
    const inTurn = ofCells.get(request.cellId) ?? createSerialRunner();
    ofCells.set(request.cellId, inTurn);
    return inTurn(() => ask(session, request, listen));
  };
}

async function ask(
  session: Session,
  {
    cellId,
    expression,
    identity,
  }: { readonly cellId: CellId; readonly expression: string; readonly identity: string },
  listen: Listen,
): Promise<InspectResult> {
  const socketId = `console-${randomUUID()}`;
  let onResult: (result: InspectResult) => void = () => {};
  const failed = (error: string): InspectResult => ({ cell_id: cellId, action: 'eval', ok: false, error });
  const leave = listen(session.id, socketId, {
    extensions: false,
    deliver({ frame }) {
      if (frame.type === 'inspect_result' && frame.payload.cell_id === cellId) onResult(frame.payload);
      if (frame.type === 'error') onResult(failed(frame.payload.error));
      if (frame.type === 'session_closed') onResult(failed(frame.payload.message));
    },
    close: (reason) => onResult(failed(reason)),
  });
  if (leave === null) return failed('The notebook was closed.');
  const origin = { kind: 'socket', socketId, identity } as const;
  const send = (request: SessionRequest) => {
    const result = new Promise<InspectResult>((resolve) => {
      onResult = resolve;
    });
    void session.dispatch(request, origin);
    return result;
  };
  try {
    const evaluate = { type: 'ask_console', cellId, expr: expression } as const;
    const first = await send(evaluate);
    if (first.ok || first.error !== NOTHING_OPEN) return first;
    const opened = await send({ type: 'open_console', cellId });
    if (!opened.ok)
      return { ...opened, error: opened.error ?? opened.result ?? 'The console did not start.' };
    const result = await send(evaluate);
    await send({ type: 'close_console', cellId });
    return result;
  } finally {
    leave();
  }
}
