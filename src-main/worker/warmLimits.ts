/** Ends warm processes of a worker that exceed its limits of memory, number and idle time. */

import type { Executor, WarmProcess } from '../exec/executor.ts';
import type { PythonInterpreter } from '../exec/interpreter.ts';
import { keepLatest } from '../lib/keepLatest.ts';

/** The number of environments whose last use is remembered; larger than any sensible limit for warm ones. */
const MAX_ENVIRONMENTS = 256;

/** The limits for a worker's warm processes. */
export interface WarmLimits {
  /** The number of environments with warm processes. */
  readonly environments: number;
  /** Resident memory of all warm processes. */
  readonly bytes: number;
  /** An environment that is unused for this long is cooled. */
  readonly idleMs: number;
}

/** An environment with warm processes. */
interface WarmEnvironment {
  readonly identity: string;
  readonly bytes: number;
  readonly usedAtMs: number;
}

/** The environments to cool so that the limits hold: idle ones, then the least recently used. */
export function environmentsToCool(
  warm: readonly WarmEnvironment[],
  { environments, bytes, idleMs }: WarmLimits,
  nowMs: number,
): readonly string[] {
  const byUse = warm.toSorted((a, b) => b.usedAtMs - a.usedAtMs);
  let count = 0;
  let sum = 0;
  return byUse.flatMap((one) => {
    const fits = nowMs - one.usedAtMs < idleMs && count < environments && sum + one.bytes <= bytes;
    if (!fits) return [one.identity];
    count += 1;
    sum += one.bytes;
    return [];
  });
}

interface WarmBoundsOptions {
  readonly executor: Pick<Executor, 'run' | 'memory' | 'retire'>;
  readonly limits: WarmLimits;
  /** Called when an environment's warm processes were ended. `isTooLarge`: they alone exceed the memory limit. */
  readonly onCooled: (identity: string, how: { readonly isTooLarge: boolean }) => void;
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
}

/** An executor whose warm processes are kept within limits. */
interface WarmBounds extends Pick<Executor, 'run'> {
  /** Ends warm processes beyond the limits. */
  enforce(): Promise<void>;
  close(): void;
}

interface Usage {
  readonly interpreter: PythonInterpreter;
  usedAtMs: number;
  running: number;
}

/** Enforces the limits after each run, and when the next environment becomes idle. */
export function limitWarmEnvironments({
  executor,
  limits,
  onCooled,
  onError,
  now = Date.now,
}: WarmBoundsOptions): WarmBounds {
  const usages = new Map<string, Usage>();
  let timer: NodeJS.Timeout | null = null;
  let enforcing: Promise<void> | null = null;
  let isClosed = false;

  async function cool(): Promise<void> {
    const warm = warmEnvironments(await executor.memory(), usages, now());
    const cooled = environmentsToCool(warm, limits, now());
    for (const { identity, bytes } of warm) {
      const usage = usages.get(identity);
      if (usage === undefined || !cooled.includes(identity)) continue;
      await executor.retire(usage.interpreter);
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
    // A change during a pass is handled by the next one. The failure of a pass was reported to its own caller.
    await enforcing?.catch(() => undefined);
    if (isClosed) return;
    enforcing ??= cool().finally(() => {
      enforcing = null;
    });
    await enforcing;
  }

  const enforceSoon = (): void => void enforce().catch(onError);

  return {
    async run(request, options) {
      const { interpreter } = request;
      const usage = usages.get(interpreter.identity) ?? { interpreter, usedAtMs: 0, running: 0 };
      keepLatest(usages, [interpreter.identity, usage], MAX_ENVIRONMENTS);
      usage.usedAtMs = now();
      usage.running += 1;
      const run = executor.run(request, options);
      // The run may have started a warm process, for which another one must end.
      enforceSoon();
      try {
        return await run;
      } finally {
        usage.running -= 1;
        usage.usedAtMs = now();
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
  usages: ReadonlyMap<string, Usage>,
  nowMs: number,
): readonly WarmEnvironment[] {
  const bytes = new Map<string, number>();
  for (const { identity, residentBytes } of processes) {
    bytes.set(identity, (bytes.get(identity) ?? 0) + (residentBytes ?? 0));
  }
  return Array.from(bytes, ([identity, sum]) => {
    const usage = usages.get(identity);
    return {
      identity,
      bytes: sum,
      usedAtMs: usage === undefined || usage.running > 0 ? nowMs : usage.usedAtMs,
    };
  });
}
