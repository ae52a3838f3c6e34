/** Limits how many cells run at the same time on a worker, and reserves a GPU for each. */

import { WorkerRefusal } from './refusal.ts';

/** An execution slot, held from admission until the harness has ended. */
export interface Slot {
  /** Index of the GPU reserved for this run; null if GPU slots are not counted. */
  readonly gpu: number | null;
  /** Idempotent. */
  release(): void;
}

const RETRY_AFTER_SECONDS = 5;

/** The slots of a worker, and its GPUs (docs/spec/worker-protocol.md, 10). */
export class Admission {
  readonly maxConcurrent: number | null;
  readonly gpuSlots: number | null;
  readonly #taken = new Set<number>();
  #active = 0;

  constructor(options: { readonly maxConcurrent: number | null; readonly gpuSlots: number | null }) {
    this.maxConcurrent = options.maxConcurrent;
    this.gpuSlots = options.gpuSlots;
  }

  get active(): number {
    return this.#active;
  }

  /** How many more executions would be admitted now; null without a limit. */
  get freeSlots(): number | null {
    const limits = [
      this.maxConcurrent === null ? null : this.maxConcurrent - this.#active,
      this.freeGpuSlots,
    ].filter((limit) => limit !== null);
    return limits.length === 0 ? null : Math.max(0, Math.min(...limits));
  }

  get freeGpuSlots(): number | null {
    return this.gpuSlots === null ? null : this.gpuSlots - this.#taken.size;
  }

  /**
   * Reserves a slot. Synchronous, so that no other request comes between check and reservation.
   * @throws WorkerRefusal 503
   */
  reserve(): Slot {
    const { maxConcurrent, gpuSlots } = this;
    if (maxConcurrent !== null && this.#active >= maxConcurrent) {
      throw full(`Worker is running ${this.#active} of ${maxConcurrent} executions`);
    }
    const gpu = gpuSlots === null ? null : this.#lowestFree(gpuSlots);
    if (gpu !== null) this.#taken.add(gpu);
    this.#active += 1;
    let isHeld = true;
    return {
      gpu,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#active -= 1;
        if (gpu !== null) this.#taken.delete(gpu);
      },
    };
  }

  #lowestFree(slots: number): number {
    for (let index = 0; index < slots; index += 1) if (!this.#taken.has(index)) return index;
    throw full(`All ${slots} GPU slots are in use`);
  }
}

function full(message: string): WorkerRefusal {
  return new WorkerRefusal(503, message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
