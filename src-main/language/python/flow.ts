/** What one way through a program binds for certain, from where it forks to where the ways meet again. */
export interface Path {
  readonly names: readonly string[];
  /** The way does not reach the end: it raises, or leaves a loop. */
  readonly ended: boolean;
}

/** A way that binds nothing. */
export const NOTHING: Path = { names: [], ended: false };

/**
 * Which of the module's names have a value for certain, at the point a walk over the program has reached. A name that
 * only some of the ways to this point bind may still have the value an earlier cell gave it.
 */
export class Flow {
  readonly #sure = new Set<string>();
  /** The members of `#sure` in the order they came, so that a fork can be undone. */
  readonly #log: string[] = [];
  #ended = false;
  /** For each open loop that only `break` leaves: where it began in the log, and what each `break` had bound. */
  readonly #loops: { readonly start: number; readonly breaks: Path[] | null }[] = [];
  /** What was bound where the program may end early and well, as with `sys.exit()`. */
  readonly #exits: ReadonlySet<string>[] = [];
  /** Read by functions that are defined, not bound for certain yet, and no call has happened since. */
  readonly #open = new Set<string>();
  /** How many function bodies the walk is in: what runs there binds none of the module's names. */
  #aside = 0;
  readonly #called = new Set<string>();

  /** Whether the name surely has a value here. */
  isSure(name: string): boolean {
    return this.#ended || this.#sure.has(name);
  }

  bind(name: string): void {
    if (this.#sure.has(name)) return;
    this.#sure.add(name);
    this.#log.push(name);
  }

  /** Nothing after this point of the present way runs. */
  end(): void {
    if (this.#aside === 0) this.#ended = true;
  }

  /** Walks over a function body. */
  aside(run: () => void): void {
    this.#aside += 1;
    run();
    this.#aside -= 1;
  }

  /** Follows one way and undoes it. @param before a way that comes first */
  follow(run: () => void, before?: Path): Path {
    if (this.#aside > 0) {
      run();
      return NOTHING;
    }
    const start = this.#log.length;
    const ended = this.#ended;
    if (before !== undefined) {
      for (const name of before.names) this.bind(name);
      this.#ended ||= before.ended;
    }
    run();
    const path = { names: this.#log.splice(start), ended: this.#ended };
    for (const name of path.names) this.#sure.delete(name);
    this.#ended = ended;
    return path;
  }

  /** The ways meet: what each of them binds, but for those that end before, is bound from here on. */
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

  /** One of these ways is taken. */
  fork(ways: readonly (() => void)[]): void {
    this.join(ways.map((run) => this.follow(run)));
  }

  /** Something that may not happen at all. */
  maybe(run: () => void): void {
    this.fork([run, () => undefined]);
  }

  /** A loop that runs its body until a `break`. */
  loopForever(body: () => void): void {
    const loop = { start: this.#log.length, breaks: [] as Path[] };
    this.#loops.push(loop);
    this.follow(body);
    this.#loops.pop();
    this.join(loop.breaks);
  }

  /** A loop that may run no time at all. */
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

  /** Whether the name surely has a value when the cell ends. */
  isSureAtEnd(name: string): boolean {
    return this.isSure(name) && this.#exits.every((names) => names.has(name));
  }
}
