/** The type of a group of benchmark measurements, and functions that time and summarize samples. */

/** Measurements that share a set-up. budgets.json says where each row's timer starts and stops. */
export interface Group {
  readonly title: string;
  run(record: RecordSamples, options: { readonly smoke: boolean }): Promise<void>;
}

/** Records the samples of a row of budgets.json by its name. */
export type RecordSamples = (name: string, samples: readonly number[]) => void;

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * p) / 100) - 1)] ?? Number.NaN;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Runs `work` `count` times; returns the time of each run, in ms. */
export async function repeat(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let i = 0; i < count; i++) samples.push(await timed(() => work(i)));
  return samples;
}
