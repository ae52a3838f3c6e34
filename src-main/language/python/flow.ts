/** Tracks which names of a cell certainly have a value at each point of its program, for names.ts. */

/** The names that one path through a program certainly binds, from a fork to the join. */
export interface Path {
  readonly names: readonly string[];
  /** The path does not reach the join: it raises, or leaves a loop. */
  readonly ended: boolean;
}

/** A path that binds nothing. */
export const NO_BINDINGS: Path = { names: [], ended: false };

/**
 * The module names that certainly have a value at the current point of a walk over the program. A name that only some
 * paths to this point bind may still have the value of an earlier cell.
 */
export class Flow {
  readonly #sure = new Set<string>();
  /** The members of `#sure` in insertion order, so that a fork can be undone. */
  readonly #log: string[] = [];
  #ended = false;
  /** For each open loop: where it began in the log and, if only `break` leaves it, the paths to each `break`. */
  readonly #loops: { readonly start: number; readonly breaks: Path[] | null }[] = [];
  /** The names bound at each point where the program may end early without an error, as with `sys.exit()`. */
  readonly #exits: ReadonlySet<string>[] = [];
  /** Names that functions defined since the last call read, and that are not certainly bound yet. */
  readonly #open = new Set<string>();
  /** How many function bodies the walk is in. Code there binds no names of the module. */
  #aside = 0;
  readonly #called = new Set<string>();

  /** Whether the name certainly has a value here. */
  isSure(name: string): boolean {
    return this.#ended || this.#sure.has(name);
  }

  bind(name: string): void {
    if (this.#sure.has(name)) return;
    this.#sure.add(name);
    this.#log.push(name);
  }

  /** Ends the current path: nothing after this point runs. */
  end(): void {
    if (this.#aside === 0) this.#ended = true;
  }

  /** Walks over a function body. */
  aside(run: () => void): void {
    this.#aside += 1;
    run();
    this.#aside -= 1;
  }

  /** Follows one path and then undoes its bindings. @param before a path that precedes it */
  follow(run: () => void, before?: Path): Path {
    if (this.#aside > 0) {
      run();
      return NO_BINDINGS;
    }
    const start = this.#log.length;
    const wasEnded = this.#ended;
    if (before !== undefined) {
      for (const name of before.names) this.bind(name);
      this.#ended ||= before.ended;
    }
    run();
    const path = { names: this.#log.splice(start), ended: this.#ended };
    for (const name of path.names) this.#sure.delete(name);
    this.#ended = wasEnded;
    return path;
  }

  /** Joins paths: names that all of them bind, except paths that ended before, are bound from here on. */
  join(paths: readonly Path[]): void {
    if (this.#aside > 0) return;
    const arriving = paths.filter(({ ended }) => !ended);
    const [first, ...others] = arriving;
    if (first === undefined) {
      this.end();
      return;
    }
    const rest = others.map(({ names }) => new Set(names));
    for (const name of first.names) if (rest.every((names) => names.has(name))) this.bind(name);
  }

  /** Exactly one of these paths runs. */
  fork(paths: readonly (() => void)[]): void {
    this.join(paths.map((run) => this.follow(run)));
  }

  /** Code that may not run at all. */
  maybe(run: () => void): void {
    this.fork([run, () => undefined]);
  }

  /** A loop that only `break` ends. */
  loopForever(body: () => void): void {
    const loop = { start: this.#log.length, breaks: [] as Path[] };
    this.#loops.push(loop);
    this.follow(body);
    this.#loops.pop();
    this.join(loop.breaks);
  }

  /** A loop that may run zero times. */
  loop(body: () => void): void {
    this.#loops.push({ start: this.#log.length, breaks: null });
    this.maybe(body);
    this.#loops.pop();
  }

  leaveLoop(): void {
    const loop = this.#loops.at(-1);
    if (this.#aside === 0 && !this.#ended)
      loop?.breaks?.push({ names: this.#log.slice(loop.start), ended: false });
    this.end();
  }

  /** The cell may end here without an error. */
  exit(): void {
    if (this.#aside === 0 && !this.#ended) this.#exits.push(new Set(this.#sure));
  }

  readLate(name: string): void {
    if (!this.#sure.has(name)) this.#open.add(name);
  }

  /** Any function that is defined may run now. */
  call(): void {
    if (this.#aside > 0) return;
    for (const name of this.#open) if (!this.#sure.has(name)) this.#called.add(name);
    this.#open.clear();
  }

  /** Whether a function may have read the name before it was bound. */
  wasReadLate(name: string): boolean {
    return this.#called.has(name);
  }

  /** Whether the name certainly has a value when the cell ends. */
  isSureAtEnd(name: string): boolean {
    return this.isSure(name) && this.#exits.every((names) => names.has(name));
  }
}
