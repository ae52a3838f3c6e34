import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionState } from '../state/state.ts';
import { createWarmUps, SETTLE_MS } from './warmUp.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Scene {
  readonly imports: readonly string[];
  readonly running?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly local?: readonly string[];
}

/** The parts of a session's state that are read. */
function stateOf({ imports, running = false, env = {}, local = [] }: Scene): SessionState {
  return {
    cells: new Map([['a', { status: 'idle', analysis: { imports } }]]),
    running: running ? {} : null,
    file: { env },
    modules: { files: new Map(local.map((path) => [path, {}])) },
    environment: { interpreter: { path: '/python', identity: 'one' } },
  } as unknown as SessionState;
}

/** The imports loaded while a notebook goes through these scenes; `null`: time passes without a change. */
function preparedIn(scenes: readonly (Scene | null)[]): readonly string[] {
  const prepared: string[] = [];
  const warmUps = createWarmUps({
    executor: {
      async prepare(_interpreter, imports, variables) {
        prepared.push(
          [...imports, ...Object.entries(variables ?? {}).map((pair) => pair.join('='))].join(' '),
        );
      },
    },
    isWanted: () => true,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const opened = stateOf({ imports: ['json'] });
  warmUps.follow(opened);
  warmUps.now(opened);
  for (const scene of scenes) {
    if (scene === null) vi.advanceTimersByTime(3 * SETTLE_MS);
    else warmUps.follow(stateOf(scene));
  }
  warmUps.close();
  return prepared.slice(1);
}

const pandas = { imports: ['json', 'pandas'] };
const scenes: Readonly<
  Record<string, { readonly of: readonly (Scene | null)[]; readonly gives: readonly string[] }>
> = {
  'an import is typed': { of: [pandas, null], gives: ['json pandas'] },
  'nothing new is imported': { of: [{ imports: ['json'] }, null], gives: [] },
  'the notebook closes first': { of: [pandas], gives: [] },
  'a name is typed letter by letter': {
    of: [{ imports: ['p'] }, { imports: ['pan'] }, pandas, null],
    gives: ['json pandas'],
  },
  'a cell runs, and ends': {
    of: [{ ...pandas, running: true }, null, pandas, null],
    gives: ['json pandas'],
  },
  'a cell still runs': { of: [{ ...pandas, running: true }, null], gives: [] },
  'a variable is set': {
    of: [{ imports: ['json'], env: { A: '1' } }, null],
    gives: ['json A=1'],
  },
  'a file of the folder hides the module': {
    of: [pandas, null, { ...pandas, local: ['pandas.py'] }, null],
    gives: ['json pandas', 'json'],
  },
  'the same again': { of: [pandas, null, pandas, null], gives: ['json pandas'] },
};

test.each(Object.entries(scenes))('[EX-60] loaded in advance when %s', (_name, { of, gives }) => {
  expect(preparedIn(of)).toEqual(gives);
});

test('[EX-60] an import that keeps changing is not loaded before it has settled', () => {
  const prepare = vi.fn(async () => undefined);
  const warmUps = createWarmUps({ executor: { prepare }, isWanted: () => true, onFailure: () => undefined });
  warmUps.follow(stateOf({ imports: [] }));
  warmUps.now(stateOf({ imports: [] }));
  for (let i = 0; i < 8; i++) {
    warmUps.follow(stateOf({ imports: [`p${i}`] }));
    vi.advanceTimersByTime(SETTLE_MS);
  }
  expect(prepare).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(SETTLE_MS);
  expect(prepare).toHaveBeenCalledTimes(2);
  warmUps.close();
});
