/** Limits how many operations of the data plane run at the same time, in total and per owner; others wait in order. */
export class TurnTaking {
  readonly #max: number;
  #maxPerOwner: number;
  readonly #running = new Map<string, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  constructor({ max, maxPerOwner = max }: { readonly max: number; readonly maxPerOwner?: number }) {
    this.#max = max;
    this.#maxPerOwner = maxPerOwner;
  }

  /** How many run. */
  get active(): number {
    return this.#total;
  }

  /** Changes how many turns each owner may have; work that runs continues. */
  limitEach(maxPerOwner: number): void {
    this.#maxPerOwner = maxPerOwner;
    this.#next();
  }

  activeOf(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }

  /** Waits for a turn. @returns a function that ends the turn; call it once. @throws the reason of the signal */
  take(owner: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        owner,
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#turnOf(owner));
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Waits for a turn for a limited time. @returns null after a timeout */
  async takeWithin(owner: string, milliseconds: number, signal: AbortSignal): Promise<(() => void) | null> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(TIMED_OUT), milliseconds);
    try {
      return await this.take(owner, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (error !== TIMED_OUT) throw error;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  #turnOf(owner: string): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#total -= 1;
      const left = this.activeOf(owner) - 1;
      if (left <= 0) this.#running.delete(owner);
      else this.#running.set(owner, left);
      this.#next();
    };
  }

  #next(): void {
    for (const waiting of [...this.#waiting]) {
      if (this.#total >= this.#max) return;
      const running = this.activeOf(waiting.owner);
      if (running >= this.#maxPerOwner) continue;
      this.#total += 1;
      this.#running.set(waiting.owner, running + 1);
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      waiting.begin();
    }
  }
}

const TIMED_OUT = new Error('no turn in time');

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}
