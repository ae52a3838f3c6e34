/** Background queue of cache warmings, for the cache routes. */

import { randomBytes } from 'node:crypto';
import { noProgress, type WarmProgress, type WarmRequest } from './warm.ts';

export type WarmStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface WarmJob {
  readonly id: string;
  readonly tenant: string;
  readonly tablesTotal: number;
  readonly progress: WarmProgress;
  status: WarmStatus;
  /** Epoch seconds; null before it starts. */
  startedAt: number | null;
  completedAt: number | null;
}

interface OwnJob extends WarmJob {
  readonly request: WarmRequest;
  readonly priority: number;
  readonly order: number;
  readonly abort: AbortController;
}

const AT_ONCE = 3;
const KEPT_SECONDS = 3600;

/** Background warmings: a few at a time, by priority. */
export class WarmJobs {
  readonly #run: (request: WarmRequest, job: WarmJob, signal: AbortSignal) => Promise<void>;
  readonly #now: () => number;
  #jobs = new Map<string, OwnJob>();
  #running = new Set<Promise<void>>();
  #order = 0;

  constructor(
    run: (request: WarmRequest, job: WarmJob, signal: AbortSignal) => Promise<void>,
    now: () => number = () => Date.now() / 1000,
  ) {
    this.#run = run;
    this.#now = now;
  }

  add(request: WarmRequest, tenant: string, priority: number): WarmJob {
    this.#order += 1;
    const job: OwnJob = {
      id: randomBytes(4).toString('hex'),
      tenant,
      request,
      priority,
      order: this.#order,
      tablesTotal: new Set(request.tables).size,
      progress: noProgress(),
      abort: new AbortController(),
      status: 'pending',
      startedAt: null,
      completedAt: null,
    };
    this.#jobs.set(job.id, job);
    this.#next();
    return job;
  }

  /** The jobs of a tenant, newest first. */
  list(tenant: string): readonly WarmJob[] {
    this.#forgetOld();
    return [...this.#jobs.values()].filter((job) => job.tenant === tenant).reverse();
  }

  find(id: string, tenant: string): WarmJob | null {
    return this.list(tenant).find((job) => job.id === id) ?? null;
  }

  /** @returns whether the job was waiting or running */
  cancel(id: string, tenant: string): boolean {
    const job = this.#jobs.get(id);
    if (job === undefined || job.tenant !== tenant || isOver(job)) return false;
    job.status = 'cancelled';
    job.completedAt = this.#now();
    job.abort.abort(new Error('Cache warming was cancelled.'));
    return true;
  }

  async close(): Promise<void> {
    for (const { id, tenant } of [...this.#jobs.values()]) this.cancel(id, tenant);
    await Promise.all(this.#running);
  }

  #next(): void {
    if (this.#running.size >= AT_ONCE) return;
    const [job] = [...this.#jobs.values()]
      .filter(({ status }) => status === 'pending')
      .sort((a, b) => b.priority - a.priority || a.order - b.order);
    if (job === undefined) return;
    job.status = 'running';
    job.startedAt = this.#now();
    const work = this.#run(job.request, job, job.abort.signal)
      .then(
        () => this.#end(job, job.progress.errors.length < job.tablesTotal ? 'completed' : 'failed'),
        (error: unknown) => {
          if (!isOver(job)) job.progress.errors.push(error instanceof Error ? error.message : String(error));
          this.#end(job, 'failed');
        },
      )
      .finally(() => {
        this.#running.delete(work);
        this.#next();
      });
    this.#running.add(work);
    this.#next();
  }

  #end(job: OwnJob, status: 'completed' | 'failed'): void {
    if (isOver(job)) return;
    job.status = status;
    job.completedAt = this.#now();
  }

  #forgetOld(): void {
    const before = this.#now() - KEPT_SECONDS;
    for (const [id, { completedAt }] of this.#jobs) {
      if (completedAt !== null && completedAt < before) this.#jobs.delete(id);
    }
  }
}

function isOver({ status }: WarmJob): boolean {
  return status !== 'pending' && status !== 'running';
}
