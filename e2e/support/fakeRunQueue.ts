import type { QueuedRunView } from '../../src-shared/wire/runQueue.ts';
import type { FakeServer, Script } from './fakeServer.ts';

/** The run queue of the fake server: the next run starts when nothing runs, and the test ends runs. */
export class FakeRunQueue {
  readonly #fake: FakeServer;
  #waiting: QueuedRunView[] = [];
  #made = 0;

  constructor(fake: FakeServer) {
    this.#fake = fake;
  }

  /** What the server does with the frames about runs. */
  readonly script: Script = {
    cell_execute: ({ cell_id }) => this.add([cell_id]),
    run_queue_add: ({ cell_ids }) => this.add(cell_ids),
    run_queue_remove: ({ ids }) => this.#change([], ids ?? this.#all()),
    run_queue_move: ({ id, before }) => this.#move(id, before),
  };

  add(cellIds: readonly string[]): void {
    const runs = cellIds.map((cell_id) => ({ id: `run${++this.#made}`, cell_id, mode: 'normal' as const }));
    const isFree = this.#fake.body.cells.every(({ status }) => status !== 'running');
    const [first, ...rest] = runs;
    if (isFree && this.#waiting.length === 0 && first !== undefined) {
      this.#fake.status(first.cell_id, 'running');
      if (rest.length > 0) this.#change(rest, []);
    } else this.#change(runs, []);
  }

  /** Ends the run of this cell and starts the next one. */
  end(cellId: string, status: 'ready' | 'error' | 'idle'): void {
    this.#fake.status(cellId, status);
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#change([], [next.id]);
    this.#fake.status(next.cell_id ?? '', 'running');
  }

  /** Removes all queued runs, like another client. */
  clear(): void {
    this.#change([], this.#all());
  }

  #move(id: string, before: string | null): void {
    const moved = this.#waiting.filter((run) => run.id === id);
    const rest = this.#waiting.filter((run) => run.id !== id);
    const at = before === null ? rest.length : rest.findIndex((run) => run.id === before);
    this.#waiting = [...rest.slice(0, at), ...moved, ...rest.slice(at)];
    this.#fake.send('run_queue', { added: [], removed: [], order: this.#all() });
  }

  #all(): string[] {
    return this.#waiting.map(({ id }) => id);
  }

  /** Removes the runs of these cells from the queue, with a reason. */
  drop(cellIds: readonly string[], message: string): void {
    const gone = this.#waiting.filter(({ cell_id }) => cell_id !== null && cellIds.includes(cell_id));
    const dropped = gone.map(({ cell_id }) => ({ cell_id, message }));
    this.#change(
      [],
      gone.map(({ id }) => id),
      dropped,
    );
  }

  #change(
    added: QueuedRunView[],
    removed: string[],
    dropped: { cell_id: string | null; message: string }[] = [],
  ): void {
    this.#waiting = [...this.#waiting, ...added].filter(({ id }) => !removed.includes(id));
    this.#fake.send('run_queue', { added, removed, ...(dropped.length === 0 ? {} : { dropped }) });
  }
}
