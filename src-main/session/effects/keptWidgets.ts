/** Owns the processes that stay after a cell's run for its live widgets, and limits how many a notebook keeps. */

import { randomUUID } from 'node:crypto';
import { totalmem } from 'node:os';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { WidgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import type { KeptProcess } from '../../exec/keptProcess.ts';
import type { Effect, SessionFact } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';

/** Kept processes of one notebook, whatever the machine; each has a cell's values in memory. */
const MIN_ROOM = 4;
const MAX_ROOM = 32;
const BYTES_OF_EACH = 512 * 1024 * 1024;

/** How many processes a notebook may keep. The oldest is ended to make room. */
export interface ProcessLimit {
  readonly most: number;
  /** Whether memory is short: then no more than four are kept. */
  readonly isShort: () => boolean;
}

/** One process per 512 MB of memory, from 4 to 32; memory is short when less than a tenth of it is free. */
export function processLimitOf(memory: {
  readonly total: number;
  readonly free: () => number;
}): ProcessLimit {
  return {
    most: Math.min(MAX_ROOM, Math.max(MIN_ROOM, Math.floor(memory.total / BYTES_OF_EACH))),
    isShort: () => memory.free() < memory.total / 10,
  };
}

/** What this process may use. macOS counts cached files as used, so memory never counts as short there. */
function machineMemory(): { readonly total: number; readonly free: () => number } {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const total = Math.min(totalmem(), limit);
  return { total, free: process.platform === 'darwin' ? () => total : () => process.availableMemory() };
}

/** Messages of a process are passed on in batches, so that a fast callback does not flood the sockets. */
const GATHER_MS = 15;
/** Messages that may wait to be passed on; a process that sends more is ended. */
const MAX_WAITING = 20_000;

type WidgetEffect = Extract<Effect, { type: 'widget' }>;

/** The processes that are kept for the widgets of a session's cells. */
export interface KeptWidgets {
  /** Whether to keep processes now: a window shows the notebook, and the server has a single user. */
  wanted(): boolean;
  /** Keeps the process of a run that has ended; it takes the place of the cell's earlier one. */
  keep(cellId: CellId, process: KeptProcess): void;
  perform(effect: WidgetEffect): Promise<void>;
  /** Ends the process of a cell that runs again. */
  end(cellId: CellId, why: string | null): Promise<void>;
  /** Ends processes whose cell, environment or trust is gone in the new state. */
  follow(state: SessionState): void;
  close(): Promise<void>;
}

interface CellProcess {
  readonly liveId: string;
  readonly process: KeptProcess;
  readonly interpreter: string | undefined;
  waiting: WidgetMessage[];
  /** Cancels the next passing on; null while nothing waits. */
  cancel: (() => void) | null;
}

/** Creates the owner of one session's kept processes. */
export function createKeptWidgets(options: {
  readonly state: () => SessionState;
  readonly report: (fact: SessionFact) => void;
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly room?: ProcessLimit;
}): KeptWidgets {
  const { report, inBackground, room = processLimitOf(machineMemory()) } = options;
  const all = new Map<CellId, CellProcess>();
  let closed = false;

  const end = async (cellId: CellId, why: string | null): Promise<void> => {
    const cellProcess = all.get(cellId);
    if (cellProcess === undefined) return;
    forget(cellId, cellProcess, why);
    await cellProcess.process.close();
  };

  function forget(cellId: CellId, cellProcess: CellProcess, why: string | null): void {
    if (all.get(cellId) !== cellProcess) return;
    all.delete(cellId);
    cellProcess.cancel?.();
    report({ type: 'widget_process_changed', cellId, liveId: null, why });
  }

  function handleMessage(cellId: CellId, cellProcess: CellProcess, message: WidgetMessage): void {
    cellProcess.waiting.push(message);
    if (cellProcess.waiting.length > MAX_WAITING) {
      inBackground(
        end(cellId, 'It sent changes faster than they can be shown. Run the cell to start it again.'),
      );
      return;
    }
    // It answers a window, which shows nothing more until then.
    if (message.type === 'done') {
      cellProcess.cancel?.();
      // Not at once: a state read just before must be reported first, without the messages after it.
      const soon = setImmediate(() => pass(cellId, cellProcess));
      cellProcess.cancel = () => clearImmediate(soon);
    } else if (cellProcess.cancel === null) {
      const timer = setTimeout(() => pass(cellId, cellProcess), GATHER_MS);
      cellProcess.cancel = () => clearTimeout(timer);
    }
  }

  /** Passes on the messages that wait. */
  function pass(cellId: CellId, cellProcess: CellProcess): void {
    cellProcess.cancel = null;
    const messages = cellProcess.waiting;
    cellProcess.waiting = [];
    report({ type: 'widget_messages_received', cellId, liveId: cellProcess.liveId, messages });
  }

  /** Ends the processes kept longest, except one, until there is room for `more`. */
  function makeRoom(more: number, spared: CellId | null): void {
    const most = room.isShort() ? MIN_ROOM : room.most;
    const why =
      most < room.most
        ? 'The memory of this machine is nearly full: at most 4 cells have live widgets. Run this cell to make it live again.'
        : `At most ${most} cells of a notebook have live widgets. Run this cell to make it live again.`;
    const oldest = [...all.keys()].filter((cellId) => cellId !== spared);
    for (const cellId of oldest.slice(0, Math.max(0, all.size + more - most))) inBackground(end(cellId, why));
  }

  async function open(cellId: CellId, socketId: string): Promise<void> {
    const cellProcess = all.get(cellId);
    const state = cellProcess === undefined ? null : await cellProcess.process.state();
    // It may have ended meanwhile; every window got a frame about that.
    const isThere = cellProcess !== undefined && all.get(cellId) === cellProcess && state !== null;
    report({
      type: 'widgets_opened',
      cellId,
      socketId,
      live: isThere ? { id: cellProcess.liveId, state } : null,
    });
  }

  const isAllowed = (): boolean => {
    const state = options.state();
    return !closed && state.options.liveWidgets && state.sockets.size > 0 && whyUntrusted(state) === null;
  };

  return {
    wanted: isAllowed,
    keep(cellId, process) {
      if (!isAllowed()) {
        inBackground(process.close());
        return;
      }
      inBackground(end(cellId, null));
      makeRoom(1, null);
      const interpreter = options.state().environment.interpreter?.identity;
      const cellProcess: CellProcess = {
        liveId: randomUUID(),
        process,
        interpreter,
        waiting: [],
        cancel: null,
      };
      all.set(cellId, cellProcess);
      process.listen((message) => handleMessage(cellId, cellProcess, message));
      void process.ended.then((why) =>
        forget(cellId, cellProcess, `The process of these widgets ended. ${why}`),
      );
      report({ type: 'widget_process_changed', cellId, liveId: cellProcess.liveId, why: null });
    },
    async perform({ cellId, what }) {
      if (what.type === 'open') return open(cellId, what.socketId);
      const cellProcess = all.get(cellId);
      // A frame of an earlier process: its window gets a frame about the new one.
      if (cellProcess?.liveId !== what.liveId) return;
      makeRoom(0, cellId);
      cellProcess.process.send(what.message);
    },
    end,
    follow(state) {
      if (all.size === 0) return;
      const untrusted = whyUntrusted(state) !== null;
      for (const [cellId, cellProcess] of all) {
        if (untrusted || !state.cells.has(cellId)) inBackground(end(cellId, null));
        else if (state.hold !== null) {
          inBackground(end(cellId, 'The notebook was put on hold.'));
        } else if (cellProcess.interpreter !== state.environment.interpreter?.identity) {
          inBackground(end(cellId, 'The environment has changed. Run the cell to make its widgets live.'));
        }
      }
    },
    async close() {
      closed = true;
      await Promise.all(Array.from(all.keys(), (cellId) => end(cellId, null)));
    },
  };
}
