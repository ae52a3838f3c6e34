/** Limits how much runs at the same time, in total and per owner; others wait in order. */
export class TurnTaking {
  readonly #most: number;
  #mostOfOne: number;
  readonly #running = new Map<string, number>();
  #total = 0;
  #waiting: Waiting[] = [];

  constructor({ most, mostOfOne = most }: { readonly most: number; readonly mostOfOne?: number }) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  /** How many run. */
  get active(): number {
    return this.#total;
  }

  /** Changes how many turns each owner may have; work that runs continues. */
  limitEach(mostOfOne: number): void {
    this.#mostOfOne = mostOfOne;
    this.#next();
  }

  activeOf(whose: string): number {
    return this.#running.get(whose) ?? 0;
  }

  /** Waits for a turn. @returns a function that ends the turn; call it once. @throws the reason of the signal */
  take(whose: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        whose,
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#turnOf(whose));
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Waits for a turn for a limited time. @returns null after a timeout */
  async takeWithin(whose: string, milliseconds: number, signal: AbortSignal): Promise<(() => void) | null> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(LATE), milliseconds);
    try {
      return await this.take(whose, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (error !== LATE) throw error;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  #turnOf(whose: string): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#total -= 1;
      const left = this.activeOf(whose) - 1;
      if (left <= 0) this.#running.delete(whose);
      else this.#running.set(whose, left);
      this.#next();
    };
  }

  #next(): void {
    for (const waiting of [...this.#waiting]) {
      if (this.#total >= this.#most) return;
      const running = this.activeOf(waiting.whose);
      if (running >= this.#mostOfOne) continue;
      this.#total += 1;
      this.#running.set(waiting.whose, running + 1);
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      waiting.begin();
    }
  }
}

const LATE = new Error('no turn in time');

interface Waiting {
  readonly whose: string;
  readonly begin: () => void;
}
