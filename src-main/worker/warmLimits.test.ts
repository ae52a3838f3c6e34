import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ExecOutcome, ExecRequest, WarmProcess } from '../exec/executor.ts';
import type { PythonInterpreter } from '../exec/interpreter.ts';
import { environmentsToCool, limitWarmEnvironments, type WarmLimits } from './warmLimits.ts';

const LIMITS: WarmLimits = { environments: 2, bytes: 100, idleMs: 1_000 };

it.each<[string, [string, number, number][], string[]]>([
  ['nothing', [], []],
  [
    'within all limits',
    [
      ['a', 50, 9_500],
      ['b', 50, 9_600],
    ],
    [],
  ],
  [
    'too many: the least recently used',
    [
      ['a', 1, 9_900],
      ['b', 1, 9_500],
      ['c', 1, 9_600],
    ],
    ['b'],
  ],
  [
    'idle for too long',
    [
      ['a', 1, 9_000],
      ['b', 1, 9_001],
    ],
    ['a'],
  ],
  [
    'too much memory: the least recently used',
    [
      ['a', 60, 9_500],
      ['b', 60, 9_600],
    ],
    ['a'],
  ],
  [
    'a single one that is too large',
    [
      ['a', 101, 9_900],
      ['b', 60, 9_600],
    ],
    ['a'],
  ],
])('[RW-45] environments to cool: %s', (_name, warm, cooled) => {
  const environments = warm.map(([identity, bytes, usedAtMs]) => ({ identity, bytes, usedAtMs }));
  expect(environmentsToCool(environments, LIMITS, 10_000)).toEqual(cooled);
});

it('[RW-45] for any warm environments, the rest is within the limits and none is cooled needlessly', () => {
  const one = fc.record({ bytes: fc.nat(120), usedAtMs: fc.integer({ min: 8_500, max: 10_000 }) });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), (environments) => {
      const warm = environments.map((each, at) => ({ ...each, identity: String(at) }));
      const cooled = new Set(environmentsToCool(warm, LIMITS, 10_000));
      const remaining = warm.filter(({ identity }) => !cooled.has(identity));
      const sum = remaining.reduce((total, { bytes }) => total + bytes, 0);
      expect(remaining.length).toBeLessThanOrEqual(LIMITS.environments);
      expect(sum).toBeLessThanOrEqual(LIMITS.bytes);
      expect(remaining.every(({ usedAtMs }) => 10_000 - usedAtMs < LIMITS.idleMs)).toBe(true);
      for (const { identity, bytes, usedAtMs } of warm) {
        if (!cooled.has(identity)) continue;
        const isIdle = 10_000 - usedAtMs >= LIMITS.idleMs;
        expect(isIdle || remaining.length === LIMITS.environments || sum + bytes > LIMITS.bytes).toBe(true);
      }
    }),
  );
});

/** A fake executor with one warm process per environment that was used. */
function fakeExecutor(bytesOf: (identity: string) => number) {
  const warm = new Map<string, WarmProcess>();
  return {
    warm,
    async run({ interpreter: { identity } }: ExecRequest): Promise<ExecOutcome> {
      warm.set(identity, { pid: 1, identity, role: 'template', residentBytes: bytesOf(identity) });
      return { kind: 'crashed', message: '', method: 'cold', durationMs: 0, stdout: '', stderr: '' };
    },
    memory: async () => [...warm.values()],
    async retire({ identity }: PythonInterpreter) {
      warm.delete(identity);
    },
  };
}

it('[RW-45] cools environments when others are used, when idle, and when too large', async () => {
  let nowMs = 0;
  const cooled: [string, boolean][] = [];
  const executor = fakeExecutor((identity) => (identity === 'huge' ? 1_000 : 10));
  const bounds = limitWarmEnvironments({
    executor,
    limits: LIMITS,
    now: () => nowMs,
    onCooled: (identity, { isTooLarge }) => cooled.push([identity, isTooLarge]),
    onError: (error) => expect.unreachable(String(error)),
  });
  const run = async (identity: string): Promise<void> => {
    nowMs += 10;
    // The fake reads only the interpreter of a request.
    const request = { interpreter: { path: identity, identity } } as ExecRequest;
    await bounds.run(request, { signal: new AbortController().signal, onConsole: () => undefined });
    await bounds.enforce();
  };
  for (const identity of ['a', 'b', 'a', 'c', 'huge']) await run(identity);
  expect([...executor.warm.keys()]).toEqual(['a', 'c']);
  expect(cooled).toEqual([
    ['b', false],
    ['huge', true],
  ]);
  nowMs += 2_000;
  await bounds.enforce();
  expect([...executor.warm.keys()]).toEqual([]);
  bounds.close();
});
