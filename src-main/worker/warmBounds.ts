import type { Executor, PythonInterpreter, WarmProcess } from '../exec/executor.ts';
import { keepLatest } from '../lib/keepLatest.ts';

/** Environments whose last use is remembered: more than any limit keeps warm. */
const MOST_KNOWN = 256;

/** What a worker keeps warm at most. */
export interface WarmLimits {
  /** Environments with warm processes at the same time. */
  readonly environments: number;
  /** Resident memory of all warm processes. */
  readonly bytes: number;
  /** An environment nothing ran in for so long is not kept warm. */
  readonly idleMs: number;
}

/** One environment that is warm. */
export interface WarmEnvironment {
  readonly identity: string;
  readonly bytes: number;
  readonly usedAtMs: number;
}

/** Those to let go, so that the limits hold: idle ones, then the least recently used. */
export function tooWarm(
  warm: readonly WarmEnvironment[],
  { environments, bytes, idleMs }: WarmLimits,
  nowMs: number,
): readonly string[] {
  const byUse = warm.toSorted((a, b) => b.usedAtMs - a.usedAtMs);
  let count = 0;
  let sum = 0;
  return byUse.flatMap((one) => {
    const isKept = nowMs - one.usedAtMs < idleMs && count < environments && sum + one.bytes <= bytes;
    if (!isKept) return [one.identity];
    count += 1;
    sum += one.bytes;
    return [];
  });
}

export interface WarmBoundsOptions {
  readonly executor: Pick<Executor, 'run' | 'memory' | 'retire'>;
  readonly limits: WarmLimits;
  /** An environment's warm processes were ended; `isTooLarge`: they alone take more memory than all may. */
  readonly onCooled: (identity: string, how: { readonly isTooLarge: boolean }) => void;
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
}

/** An executor's runs, with what it keeps warm of their environments within limits. */
export interface WarmBounds extends Pick<Executor, 'run'> {
  /** Ends what the limits do not allow. */
  enforce(): Promise<void>;
  close(): void;
}

interface Used {
  readonly interpreter: PythonInterpreter;
  usedAtMs: number;
  running: number;
}

/** Looks after each run, and when the next environment becomes idle. */
export function boundWarmth({
  executor,
  limits,
  onCooled,
  onError,
  now = Date.now,
}: WarmBoundsOptions): WarmBounds {
  const known = new Map<string, Used>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let isClosed = false;

  async function look(): Promise<void> {
    const warm = warmEnvironments(await executor.memory(), known, now());
    const cooled = tooWarm(warm, limits, now());
    for (const { identity, bytes } of warm) {
      const used = known.get(identity);
      if (used === undefined || !cooled.includes(identity)) continue;
      await executor.retire(used.interpreter);
      onCooled(identity, { isTooLarge: bytes > limits.bytes });
    }
    schedule(warm.filter(({ identity }) => !cooled.includes(identity)));
  }

  function schedule(warm: readonly WarmEnvironment[]): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (isClosed || warm.length === 0) return;
    const first = Math.min(...warm.map(({ usedAtMs }) => usedAtMs));
    timer = setTimeout(enforceSoon, Math.max(first + limits.idleMs - now(), 0) + 1);
    timer.unref();
  }

  async function enforce(): Promise<void> {
    // Changes during the previous look are seen by the next one. Its failure was reported to its own caller.
    await looking?.catch(() => undefined);
    if (isClosed) return;
    looking ??= look().finally(() => {
      looking = null;
    });
    await looking;
  }

  const enforceSoon = (): void => void enforce().catch(onError);

  return {
    async run(request, options) {
      const { interpreter } = request;
      const used = known.get(interpreter.identity) ?? { interpreter, usedAtMs: 0, running: 0 };
      keepLatest(known, [interpreter.identity, used], MOST_KNOWN);
      used.usedAtMs = now();
      used.running += 1;
      const ended = executor.run(request, options);
      // It may have brought a warm process up, which another one has to make room for.
      enforceSoon();
      try {
        return await ended;
      } finally {
        used.running -= 1;
        used.usedAtMs = now();
        enforceSoon();
      }
    },
    enforce,
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function warmEnvironments(
  processes: readonly WarmProcess[],
  known: ReadonlyMap<string, Used>,
  nowMs: number,
): readonly WarmEnvironment[] {
  const bytes = new Map<string, number>();
  for (const { identity, residentBytes } of processes) {
    bytes.set(identity, (bytes.get(identity) ?? 0) + (residentBytes ?? 0));
  }
  return Array.from(bytes, ([identity, sum]) => {
    const used = known.get(identity);
    return { identity, bytes: sum, usedAtMs: used === undefined || used.running > 0 ? nowMs : used.usedAtMs };
  });
}
