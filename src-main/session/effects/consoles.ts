/**
 * Owns the processes of the consoles inside cells (`inspect` in names): starts them, evaluates expressions in them and ends
 * them, as the reducer requests.
 */

import { join } from 'node:path';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import type { Executor } from '../../exec/executor.ts';
import type { InspectAnswer, Inspection } from '../../exec/inspection.ts';
import type { DataAccess } from '../../mount/dataAccess.ts';
import { removeScratch } from '../../run/scratchFolder.ts';
import type { Effect, SessionFact } from '../state/events.ts';
import type { InspectOpening } from '../state/inspectOpening.ts';
import { INSPECT_IDLE_MINUTES } from '../state/inspectState.ts';
import { type InspectData, prepareInspectData } from './inspectData.ts';
import { type InspectValues, readInspectValues } from './inspectValues.ts';

type InspectEffect = Extract<Effect, { type: 'inspect' }>;

/** The consoles of a session, as the effect loop starts, queries and closes them. */
export interface Consoles {
  /** Resolves when it is done; the result is reported as a fact. */
  perform(effect: InspectEffect): Promise<void>;
  /** Ends every process; none is started afterwards. */
  close(): Promise<void>;
}

interface Slot {
  /** Null if it was closed before a process existed. */
  process: Promise<Inspection | null>;
  closing: boolean;
  /** Aborted on close: data that is still being copied is not waited for. */
  readonly bringing: AbortController;
  /** Unanswered evaluations: the end of the console is reported after their answers. */
  readonly asked: Set<Promise<unknown>>;
  /** Resolves once the opener has the reply to its request. */
  pendingReply: Promise<unknown>;
  idle: NodeJS.Timeout | null;
}

const CLOSED_ANSWER: InspectAnswer = {
  kind: 'ended',
  error: 'The console is closed.',
  stdout: '',
  stderr: '',
  displays: [],
  durationMs: 0,
};

/**
 * The processes of a session's consoles, by the id of each opening. Owns the processes and their idle timers;
 * the reducer decides which consoles are open.
 */
export function createConsoles(options: {
  readonly store: ArtifactStore;
  readonly executor: Pick<Executor, 'inspect'>;
  readonly data: DataAccess;
  /** Holds the copies of writable mounts while their console is open. */
  readonly scratchDir: string;
  readonly report: (fact: SessionFact) => void;
}): Consoles {
  const { store, executor, data, report } = options;
  const slots = new Map<string, Slot>();
  let closed = false;

  function start(opening: InspectOpening, values: InspectValues, outside: InspectData): Inspection {
    const { interpreter, cellId, notebookId, env, cwd, setup } = opening;
    const { mounts, tables } = outside;
    const inputs = { ...outside.inputs, ...values.inputs };
    return executor.inspect({ interpreter, cellId, notebookId, env, cwd, setup, inputs, mounts, tables });
  }

  async function open(effect: InspectEffect, opening: InspectOpening, socketId: string): Promise<void> {
    const { inspectId, cellId } = effect;
    const bringing = new AbortController();
    const scratchDir = join(options.scratchDir, `inspect-${inspectId}`);
    const reading = Promise.all([
      readInspectValues(store, opening),
      prepareInspectData(data, opening.data, { scratchDir, signal: bringing.signal }),
    ]);
    const slot: Slot = {
      process: Promise.resolve(null),
      closing: closed,
      bringing,
      asked: new Set(),
      pendingReply: Promise.resolve(),
      idle: null,
    };
    slot.process = reading.then(([values, outside]) =>
      slot.closing ? null : start(opening, values, outside),
    );
    // Waiting evaluations are answered as for a closed console; the failure itself is reported below.
    slot.process.catch(() => slots.delete(inspectId));
    slots.set(inspectId, slot);
    const reportStart = (start: Extract<SessionFact, { type: 'inspect_started' }>['start']): void =>
      report({ type: 'inspect_started', inspectId, cellId, socketId, start });
    try {
      const process = await slot.process;
      if (process === null) {
        await removeScratch(scratchDir);
        return;
      }
      const started = Promise.all([process.started, reading]);
      const reply = unfinished(
        slot,
        started.then(([start, [values, outside]]) =>
          reportStart(
            start.kind === 'ready'
              ? { ...start, unread: { ...opening.missing, ...outside.lost, ...values.lost, ...start.unread } }
              : start,
          ),
        ),
      );
      void process.ended.then(async (message) => {
        await Promise.allSettled(slot.asked);
        stopIdle(slot);
        slots.delete(inspectId);
        report({ type: 'inspect_ended', inspectId, cellId, message });
        return removeScratch(scratchDir);
      });
      slot.pendingReply = reply.catch(() => undefined);
      await reply;
      rest(effect, slot);
    } catch (error) {
      reportStart({ kind: 'failed', message: `The values could not be read: ${wordsOf(error)}` });
      throw error;
    }
  }

  async function evaluate(effect: InspectEffect, expr: string, socketId: string): Promise<void> {
    const { inspectId, cellId } = effect;
    const slot = slots.get(inspectId);
    if (slot !== undefined) stopIdle(slot);
    const evaluated = async (): Promise<void> => {
      const process = (await slot?.process.catch(() => null)) ?? null;
      const answer = process === null ? CLOSED_ANSWER : await process.evaluate(expr);
      await slot?.pendingReply;
      if (slot !== undefined) rest(effect, slot);
      report({ type: 'inspect_answered', inspectId, cellId, socketId, expr, answer });
    };
    await (slot === undefined ? evaluated() : unfinished(slot, evaluated()));
  }

  async function complete(effect: InspectEffect, text: string, socketId: string): Promise<void> {
    const { inspectId, cellId } = effect;
    const slot = slots.get(inspectId);
    if (slot !== undefined) stopIdle(slot);
    const process = (await slot?.process.catch(() => null)) ?? null;
    const names = process === null ? [] : await process.complete(text);
    if (slot !== undefined) rest(effect, slot);
    report({ type: 'inspect_completed', inspectId, cellId, socketId, text, names });
  }

  async function end(slot: Slot | undefined): Promise<void> {
    if (slot === undefined) return;
    slot.closing = true;
    slot.bringing.abort();
    stopIdle(slot);
    await (await slot.process.catch(() => null))?.close();
  }

  function rest({ inspectId, cellId }: InspectEffect, slot: Slot): void {
    stopIdle(slot);
    if (slot.closing || !slots.has(inspectId)) return;
    const idle = () => report({ type: 'inspect_idle', inspectId, cellId });
    slot.idle = setTimeout(idle, INSPECT_IDLE_MINUTES * 60_000);
    slot.idle.unref();
  }

  return {
    async perform(effect) {
      const { what, inspectId } = effect;
      const slot = slots.get(inspectId);
      switch (what.type) {
        case 'open':
          return open(effect, what.opening, what.socketId);
        case 'evaluate':
          return evaluate(effect, what.expr, what.socketId);
        case 'complete':
          return complete(effect, what.text, what.socketId);
        case 'interrupt':
          (await slot?.process.catch(() => null))?.interrupt();
          return;
        case 'close':
          return end(slot);
        default:
          what satisfies never;
      }
    },
    async close() {
      closed = true;
      await Promise.all(Array.from(slots.values(), end));
    },
  };
}

/** Adds work to the console's list until it settles. */
function unfinished<T>(slot: Slot, work: Promise<T>): Promise<T> {
  slot.asked.add(work);
  const forget = (): void => void slot.asked.delete(work);
  work.then(forget, forget);
  return work;
}

function stopIdle(slot: Slot): void {
  if (slot.idle !== null) clearTimeout(slot.idle);
  slot.idle = null;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
