/**
 * One session of the server in memory: the real mailbox, reducers, broadcast, sockets and REST handlers of cells, with
 * a simulated disk and simulated processes that take a while by the clock of the test.
 */

import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { NotebookFile } from '../../src-main/notebook/file/notebookFile.ts';
import { createLogger } from '../../src-main/observe/log.ts';
import { PERSONAL_CALLER } from '../../src-main/server/caller.ts';
import { Broadcast } from '../../src-main/server/live/broadcast.ts';
import type { SocketRole } from '../../src-main/server/live/clientFrame.ts';
import { serveSocket } from '../../src-main/server/live/socket.ts';
import { cellHandlers } from '../../src-main/server/routes/cells.ts';
import type { HandlerContext } from '../../src-main/server/routes/notebooks.ts';
import type { Session } from '../../src-main/session/api.ts';
import { createTimers } from '../../src-main/session/effects/timers.ts';
import { newCell } from '../../src-main/session/keys/newCell.ts';
import { createMailbox } from '../../src-main/session/mailbox.ts';
import { reduce } from '../../src-main/session/reduce/reduce.ts';
import type { Effect, SessionEvent, SessionFact } from '../../src-main/session/state/events.ts';
import { rulesOf } from '../../src-main/session/state/requestRules.ts';
import type { Origin, Reply, SessionRequest } from '../../src-main/session/state/requests.ts';
import type { SessionState } from '../../src-main/session/state/state.ts';
import { createWorld, toyAnalysis } from '../../src-main/session/testing/testWorld.ts';
import { wellBehaved } from '../../src-main/session/testing/toySteps.ts';
import { viewBody, viewCell, viewCells, viewDag, viewLinkedDag } from '../../src-main/session/view/view.ts';
import type { CellId } from '../../src-shared/notebook/ids.ts';
import { cellId } from '../../src-shared/notebook/ids.ts';
import type { Chance } from './wire.ts';

const GRACE_MS = 60_000;

export class SimServer {
  readonly broadcast = new Broadcast({ onClosed: () => undefined, now: () => new Date() });
  readonly handlers: ReturnType<typeof cellHandlers>;
  readonly #random: () => number;
  readonly #mailbox = createMailbox<SessionEvent>((event) => this.#handle(event));
  readonly #timers = createTimers();
  readonly #replies = new Map<number, (reply: Reply) => void>();
  readonly #stops = new Set<string>();
  readonly #versions = new Map<string, number>();
  readonly #session: Session;
  #state: SessionState;
  #file: NotebookFile;
  #disk: Promise<void> = Promise.resolve();
  #ids = 0;
  #tickets = 0;
  #working = 0;

  constructor({ random }: Chance, sources: Readonly<Record<string, string>>) {
    this.#random = random;
    this.#state = { ...createWorld(sources).state(), sockets: new Map() };
    this.#file = this.#state.file;
    const part: Partial<Session> = {
      id: this.#state.sessionId,
      path: this.#state.path,
      notebookId: this.#state.notebookId,
      dispatch: (request, origin) => this.dispatch(request, origin),
      lifetime: { touch: () => undefined, ended: new AbortController().signal },
    };
    const views = {
      notebook: {
        body: () => viewBody(this.#state),
        dag: () => viewDag(this.#state),
        linkedDag: () => viewLinkedDag(this.#state),
      },
      cells: {
        all: () => viewCells(this.#state),
        one: (id: CellId) => {
          const cell = this.#state.cells.get(id);
          return cell === undefined ? null : viewCell(this.#state, cell);
        },
      },
    };
    this.#session = { ...part, views } as unknown as Session; // the members that sockets and cell routes use
    const sessions = { find: () => this.#session } as unknown as HandlerContext['sessions']; // the same
    this.handlers = cellHandlers({
      sessions,
      refuseWhenDraining: () => undefined,
    } as unknown as HandlerContext);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Whether a write or a process has not ended yet. */
  get isBusy(): boolean {
    return this.#working > 0;
  }

  serve(socket: WebSocket, role: SocketRole): void {
    const { broadcast } = this;
    const log = createLogger({ level: 'ERROR', format: 'json', destination: { write: failLoudly } });
    const assistants = { of: () => failLoudly('a frame of the assistant') };
    const common = { socketId: randomUUID(), caller: PERSONAL_CALLER, extensions: true, assistants, log };
    serveSocket({ ...common, socket, session: this.#session, broadcast, role, isDraining: () => false });
  }

  dispatch(request: SessionRequest, origin: Origin): Promise<Reply> {
    this.#tickets += 1;
    const ticket = this.#tickets;
    return new Promise((resolve) => {
      this.#replies.set(ticket, resolve);
      this.#mailbox.send({ ...request, origin, ticket, atMs: Date.now() });
      if (!rulesOf(request.type).replies) this.#reply(ticket, { kind: 'done' });
    });
  }

  #newId(kind: string): string {
    this.#ids += 1;
    return `${kind}${this.#ids}`;
  }

  #report(fact: SessionFact): void {
    this.#mailbox.send({ ...fact, atMs: Date.now() });
  }

  #handle(event: SessionEvent): void {
    const tools = { analyze: toyAnalysis, newId: () => this.#newId('i'), newJobId: () => this.#newId('j') };
    const { state, frames, effects } = reduce(this.#state, event, tools);
    this.#state = state;
    if (frames.length > 0) this.broadcast.send(frames);
    for (const effect of effects) this.#perform(effect);
  }

  #reply(ticket: number, reply: Reply): void {
    this.#replies.get(ticket)?.(reply);
    this.#replies.delete(ticket);
  }

  #later(ms: number, act: () => void): void {
    this.#working += 1;
    setTimeout(
      () => {
        this.#working -= 1;
        act();
      },
      Math.floor(this.#random() * ms),
    );
  }

  /** Executes writes one after another, like the only writer of the folder. */
  #onDisk(write: () => SessionFact): void {
    this.#working += 1;
    this.#disk = this.#disk.then(
      () =>
        new Promise((resolve) => {
          setTimeout(
            () => {
              this.#working -= 1;
              this.#report(write());
              resolve();
            },
            Math.floor(this.#random() * 30),
          );
        }),
    );
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'reply':
        this.#reply(effect.ticket, effect.reply);
        break;
      case 'write_source': {
        const { ticket, origin, cellId: id, source } = effect;
        this.#onDisk(() => {
          const fact = { type: 'source_written', ticket, origin, cellId: id, source } as const;
          return { ...fact, file: this.#file, refused: null, merged: null };
        });
        break;
      }
      case 'change_structure':
        this.#onDisk(() => this.#restructured(effect));
        break;
      case 'check_step_data':
        this.#later(5, () => {
          const facts = effect.items.map(({ key }) => ({
            key,
            token: key,
            problem: null,
            checkedAtMs: Date.now(),
          }));
          this.#report({ type: 'step_data_checked', runId: effect.runId, cellId: effect.cellId, facts });
        });
        break;
      case 'run_step':
        this.#run(effect);
        break;
      case 'cancel_step':
        this.#stops.add(effect.runId);
        break;
      case 'start_grace':
        this.#timers.start('grace', {
          ms: GRACE_MS,
          act: () => this.#report({ type: 'grace_ended', runId: effect.runId }),
        });
        break;
      case 'stop_grace':
        this.#timers.stop('grace');
        break;
      case 'expire_visitor':
        this.#timers.start(effect.identity, {
          ms: GRACE_MS,
          act: () => this.#report({ type: 'visitor_left', identity: effect.identity }),
        });
        break;
      default:
    }
  }

  #run({ runId, request }: Extract<Effect, { type: 'run_step' }>): void {
    const { cellId: id } = request;
    const lines = Math.floor(this.#random() * 4);
    const printed = { stdout: '', stderr: '' };
    const print = (left: number): void => {
      if (left === 0 || this.#stops.has(runId)) {
        finish();
        return;
      }
      const stream = this.#random() < 0.8 ? 'stdout' : 'stderr';
      const text = `${left} of ${runId}\n`;
      printed[stream] += text;
      this.#report({ type: 'step_console', runId, cellId: id, stream, text });
      this.#later(60, () => print(left - 1));
    };
    const nextVersion = (key: string): number => {
      this.#versions.set(key, (this.#versions.get(key) ?? 0) + 1);
      return this.#versions.get(key) ?? 0;
    };
    const finish = (): void => {
      const cancelled = { kind: 'cancelled', ...printed, durationMs: 1 } as const;
      const outcome = this.#stops.has(runId) ? cancelled : wellBehaved(request, nextVersion);
      const reported = outcome.kind === 'ran' ? { ...outcome, ...printed } : outcome;
      this.#report({ type: 'step_finished', runId, cellId: id, outcome: reported });
    };
    this.#later(60, () => print(lines));
  }

  #restructured({ ticket, change }: Extract<Effect, { type: 'change_structure' }>): SessionFact {
    const { request } = change;
    const fact = { type: 'structure_changed', ticket, added: [], removed: [] } as const;
    const { cells } = this.#file;
    const put = (next: NotebookFile['cells']): NotebookFile => {
      this.#file = { ...this.#file, cells: next.map((entry, order) => ({ ...entry, order })) };
      return this.#file;
    };
    if (request.type === 'add_cell') {
      const id = cellId(this.#newId('n'));
      const [like] = createWorld({ [id]: '' }).state().file.cells;
      if (like === undefined) throw new Error('a world of one cell has a cell');
      const at = cells.findIndex((entry) => entry.id === request.afterId);
      const file = put(at === -1 ? [...cells, like] : cells.toSpliced(at + 1, 0, like));
      const entry = file.cells.find((one) => one.id === id) ?? like;
      const cell = newCell(entry, {
        text: { source: '', testSource: '', problem: null },
        analyze: toyAnalysis,
      });
      return { ...fact, change: 'added', file, added: [cell], reply: { kind: 'cell', cellId: id } };
    }
    if (request.type === 'delete_cell') {
      const file = put(cells.filter((entry) => entry.id !== request.cellId));
      return { ...fact, change: 'deleted', file, removed: [request.cellId], reply: { kind: 'done' } };
    }
    if (request.type === 'reorder_cells') {
      const reordered = request.cellIds.flatMap((id) => cells.filter((entry) => entry.id === id));
      const file = put([...reordered, ...cells.filter((entry) => !reordered.includes(entry))]);
      return { ...fact, change: 'reordered', file, reply: { kind: 'done' } };
    }
    throw new Error(`the simulation does no ${request.type}`);
  }
}

function failLoudly(line: string): never {
  throw new Error(line);
}
