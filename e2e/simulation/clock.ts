/**
 * The clock of the simulation: `setTimeout` and `Date` use it, and promises settle between two timers. The clock of
 * vitest waits a real millisecond for each timer, which is too long for a thousand simulated runs.
 */

import { setImmediate as turn } from 'node:timers';
import { vi } from 'vitest';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly task: () => void;
}

const START_MS = 1_000_000_000_000;

export class SimClock {
  #now = START_MS;
  #count = 0;
  readonly #timers = new Map<number, Timer>();

  constructor() {
    vi.useFakeTimers({ now: this.#now, toFake: ['Date'] });
    vi.stubGlobal('setTimeout', (task: () => void, ms = 0) => this.#add(task, ms));
    vi.stubGlobal('clearTimeout', (timer: { readonly order: number } | undefined | null) => {
      if (timer !== undefined && timer !== null) this.#timers.delete(timer.order);
    });
  }

  #add(task: () => void, ms: number): { readonly order: number; readonly unref: () => void } {
    this.#count += 1;
    const order = this.#count;
    this.#timers.set(order, { at: this.#now + Math.max(0, ms), order, task });
    return { order, unref: () => undefined };
  }

  /** Lets this much time pass, and runs the timers that become due, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await promisesSettle();
    for (let next = this.#next(end); next !== null; next = this.#next(end)) {
      this.#timers.delete(next.order);
      this.#set(next.at);
      next.task();
      await promisesSettle();
    }
    this.#set(end);
  }

  #set(ms: number): void {
    if (ms === this.#now) return;
    this.#now = ms;
    vi.setSystemTime(ms);
  }

  #next(end: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers.values()) {
      if (timer.at <= end && (first === null || timer.at < first.at)) first = timer;
    }
    return first;
  }

  close(): void {
    vi.useRealTimers();
  }
}

function promisesSettle(): Promise<void> {
  return new Promise((resolve) => void turn(resolve));
}
