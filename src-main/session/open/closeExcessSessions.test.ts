import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import { createWorld } from '../testing/testWorld.ts';
import { closeExcessSessions, type LimitedSessions, type Limits } from './closeExcessSessions.ts';
import type { LimitedSession } from './sessionLimits.ts';

type Kept = Partial<LimitedSession['state']>;

interface Open extends LimitedSession {
  readonly name: string;
}

const QUIET = createWorld({}).state();
const NOW = 100_000;
const A = cellId('a');

function world(rows: Readonly<Record<string, readonly [quietForMs: number, state?: Kept]>>) {
  const open = new Map<string, Open>();
  for (const [name, [quietFor, state]] of Object.entries(rows)) {
    open.set(name, { name, state: { ...QUIET, ...state }, lastActivityMs: NOW - quietFor });
  }
  const ended: string[] = [];
  const sessions: LimitedSessions<Open> = {
    open: () => open.values(),
    end: async ({ name }, reason) => {
      open.delete(name);
      ended.push(`${name} ${reason}`);
    },
    isHeld: ({ name }) => name === 'held',
    nowMs: () => NOW,
    // Each session takes 100 MiB of 1000.
    availableMb: () => 1_000 - 100 * open.size,
  };
  return { sessions, ended };
}

const running = createWorld({ a: 'x = 1' });
running.send({ type: 'run_cell', cellId: A, mode: 'force', upstream: 'go' });
const tested = createWorld({ a: 'x = 1' });
tested.send({ type: 'test_cell', cellId: A, source: 'def test_a(): pass', base: null });
const job = (status: EnvironmentJob['status']): Kept => {
  const started = { id: 'j', action: 'sync', command: '', status, started_at: 0, package: null } as const;
  return { environment: { ...QUIET.environment, job: started as unknown as EnvironmentJob } }; // only its status is read
};
const locked = (agoMs: number): Kept => ({ locks: new Map([[A, { identity: 'x', atMs: NOW - agoMs }]]) });
const console_ = (...waiting: readonly { readonly socketId: string; readonly expr: string }[]): Kept => ({
  inspections: new Map([[A, { inspectId: 'i', waiting }]]),
});

describe('[LP-50] a session that was unused for too long is closed, unless', () => {
  const rows: readonly (readonly [name: string, state: Kept, closed: boolean])[] = [
    ['nothing keeps it', {}, true],
    ['a cell runs', running.state(), false],
    ['tests run', tested.state(), false],
    ['the environment is changed by a job', job('running'), false],
    ['a job has ended', job('completed'), true],
    ['a text is not saved', { unsaved: new Set([A]) }, false],
    ['a cell is locked', locked(4_999), false],
    ['a lock has ended', locked(5_000), true],
    ['a console evaluates', console_({ socketId: 's1', expr: 'x' }), false],
    ['a console is open', console_(), true],
  ];
  it.each(rows)('%s', async (_name, state, closed) => {
    const { sessions, ended } = world({ one: [11, state] });
    await closeExcessSessions(sessions, {
      limits: { ttlMs: 10, most: 50, minAvailableMb: null },
      opening: () => 0,
    });
    expect(ended).toEqual(closed ? ['one idle'] : []);
  });
});

describe('[LP-51] limits', () => {
  const none: Limits = { ttlMs: 1_000, most: 50, minAvailableMb: null };
  const three = { new: [1], old: [30], older: [40] } as const;
  const rows: readonly (readonly [
    name: string,
    given: Parameters<typeof world>[0],
    limits: Partial<Limits>,
    opening: number,
    ended: readonly string[],
  ])[] = [
    ['allow sessions within them', three, { most: 3 }, 0, []],
    ['make room for one that opens', three, { most: 3 }, 1, ['older session_limit']],
    [
      'close the least recently used first',
      three,
      { most: 1 },
      0,
      ['older session_limit', 'old session_limit'],
    ],
    ['apply to sessions that are already open', three, { most: 2 }, 0, ['older session_limit']],
    [
      'skip sessions that may not be closed',
      { ...three, held: [50], busy: [60, locked(0)] },
      { most: 4 },
      0,
      ['older session_limit'],
    ],
    ['never refuse to open a notebook', { held: [50], busy: [60, locked(0)] }, { most: 1 }, 1, []],
    [
      'close for memory until there is enough',
      three,
      { minAvailableMb: 850 },
      0,
      ['older memory', 'old memory'],
    ],
    ['leave memory that is enough', three, { minAvailableMb: 700 }, 0, []],
    [
      'cannot free memory that no session uses',
      three,
      { minAvailableMb: 2_000 },
      0,
      ['older memory', 'old memory', 'new memory'],
    ],
    [
      'close the idle ones before the others',
      three,
      { ttlMs: 35, most: 2 },
      1,
      ['older idle', 'old session_limit'],
    ],
    ['leave an idle one under a hold', { held: [50] }, { ttlMs: 35 }, 0, []],
  ];
  it.each(rows)('%s', async (_name, rows, limits, opening, expected) => {
    const { sessions, ended } = world(rows);
    await closeExcessSessions(sessions, { limits: { ...none, ...limits }, opening: () => opening });
    expect(ended).toEqual(expected);
  });
});
