import { describe, expect, it } from 'vitest';
import { type ExplainFacts, explain } from './explain.ts';
import type { RunFacts } from './facts.ts';

const RAN: RunFacts = {
  sourceHash: 's1',
  inputs: [
    { name: 'trips', cellId: 'load', sha256: 'a' },
    { name: 'rain', cellId: 'weather', sha256: 'b' },
  ],
  lockHash: 'l1',
  timeoutSeconds: 300,
  env: { REGION: 'x' },
  worker: 'local',
  data: [],
  modules: [],
};
const NAMES: Readonly<Record<string, string>> = { load: 'trips', weather: 'rain', other: 'wind' };

const STALE: Omit<ExplainFacts, 'now'> = {
  status: 'stale',
  last: RAN,
  hasRun: true,
  hasStarted: true,
  wasHit: false,
  wouldHit: false,
  failed: false,
  pending: new Set(),
  unkept: [],
  stopped: false,
  observed: [],
  packages: null,
  nameOf: (id) => NAMES[id] ?? id,
};

const [TRIPS, RAIN] = RAN.inputs;
const inputs = (...list: readonly (RunFacts['inputs'][number] | undefined)[]) => ({
  inputs: list.flatMap((one) => one ?? []),
});

const ORDERS: RunFacts['data'][number] = {
  kind: 'table',
  name: 'orders',
  uri: 'lake:ns.orders',
  token: '9007199254740993',
};

interface Case {
  readonly what: string;
  readonly now?: Partial<RunFacts>;
  readonly facts?: Partial<ExplainFacts>;
  readonly verdict: string;
  readonly headline: string;
  /** `kind name state` of every row that is not the same. */
  readonly differs?: readonly string[];
}

/** The differences if nothing is known of an earlier run. */
const ALL_NEW = [
  'source code new',
  'input trips new',
  'input rain new',
  'environment packages new',
  'timeout timeout new',
  'env REGION new',
  'worker local new',
];
const CASES: readonly Case[] = [
  {
    what: 'a variable that is read now and was not stored',
    facts: { status: 'idle', unkept: [{ name: 'data', readers: ['other'] }] },
    verdict: 'miss',
    headline: '`data` is now read by wind, but the last run did not store it. Run this cell to store it.',
  },
  {
    what: 'two of them',
    facts: {
      status: 'idle',
      unkept: [
        { name: 'data', readers: ['other'] },
        { name: 'rows', readers: ['other', 'load'] },
      ],
    },
    verdict: 'miss',
    headline:
      '`data` and `rows` are now read by wind and trips, but the last run did not store them. Run this cell to store them.',
  },
  {
    what: 'a stop after a failure',
    facts: { status: 'error', failed: true, stopped: true },
    verdict: 'miss',
    headline: 'The last run was stopped; the one before it failed.',
  },
  {
    what: 'an input that ran again to another result',
    now: inputs({ name: 'trips', cellId: 'load', sha256: 'z' }, RAIN),
    verdict: 'stale',
    headline: 'trips ran again and its result changed. The code of this cell is unchanged.',
    differs: ['input trips changed'],
  },
  {
    what: 'two of them',
    now: inputs(
      { name: 'trips', cellId: 'load', sha256: 'z' },
      { name: 'rain', cellId: 'weather', sha256: 'y' },
    ),
    verdict: 'stale',
    headline: 'trips and rain ran again and their results changed. The code of this cell is unchanged.',
    differs: ['input trips changed', 'input rain changed'],
  },
  {
    what: 'an input that has to run first, whatever its old bytes were',
    facts: { pending: new Set(['load']) },
    verdict: 'stale',
    headline: 'trips is out of date and runs first. The code of this cell is unchanged.',
    differs: ['input trips changed'],
  },
  {
    what: 'other code',
    now: { sourceHash: 's2' },
    verdict: 'stale',
    headline: 'The code of this cell changed.',
    differs: ['source code changed'],
  },
  {
    what: 'other code that reads something else',
    now: { sourceHash: 's2', ...inputs(TRIPS, { name: 'gusts', cellId: 'other', sha256: 'c' }) },
    verdict: 'stale',
    headline: 'The code of this cell changed. It now reads gusts. It no longer reads rain.',
    differs: ['source code changed', 'input gusts new', 'input rain gone'],
  },
  {
    what: 'the same name from another cell',
    now: inputs(TRIPS, { name: 'rain', cellId: 'other', sha256: 'b' }),
    verdict: 'stale',
    headline: 'It now reads rain. It no longer reads rain. The code of this cell is unchanged.',
    differs: ['input rain new', 'input rain gone'],
  },
  {
    what: '[SO-176] another set-up cell',
    now: { setup: { cellId: 'other', sourceHash: 'u2' } },
    facts: { last: { ...RAN, setup: { cellId: 'other', sourceHash: 'u1' } } },
    verdict: 'stale',
    headline: 'The setup cell wind changed. The code of this cell is unchanged.',
    differs: ['setup wind changed'],
  },
  {
    what: '[SO-176] a former setup cell',
    facts: { last: { ...RAN, setup: { cellId: 'other', sourceHash: 'u1' } } },
    verdict: 'stale',
    headline: 'The setup cell wind no longer runs before this cell. The code of this cell is unchanged.',
    differs: ['setup wind gone'],
  },
  {
    what: '[SO-176] a new set-up cell',
    now: { setup: { cellId: 'other', sourceHash: 'u1' } },
    verdict: 'stale',
    headline: 'The setup cell wind now runs before this cell. The code of this cell is unchanged.',
    differs: ['setup wind new'],
  },
  {
    what: '[DP-96] a table with a new snapshot, and a changed mount',
    facts: { last: { ...RAN, data: [ORDERS, { ...ORDERS, kind: 'mount', name: 'raw', uri: 'd' }] } },
    now: {
      data: [
        { ...ORDERS, token: '9007199254740995' },
        { ...ORDERS, kind: 'mount', name: 'raw', uri: 'd', token: 'x' },
      ],
    },
    verdict: 'stale',
    headline:
      'The table orders changed: lake:ns.orders has snapshot 9007199254740995 now, 9007199254740993 before. The data behind raw has changed. The code of this cell is unchanged.',
    differs: ['table orders changed', 'mount raw changed'],
  },
  {
    what: 'other packages',
    now: { lockHash: 'l2' },
    verdict: 'stale',
    headline: 'The packages of the environment changed. The code of this cell is unchanged.',
    differs: ['environment packages changed'],
  },
  {
    what: '[SO-303] other packages, some of which the last run reached',
    now: { lockHash: 'l2' },
    facts: { packages: ['numexpr', 'numpy'] },
    verdict: 'stale',
    headline: 'It uses packages that changed: numexpr and numpy. The code of this cell is unchanged.',
    differs: ['environment packages changed'],
  },
  {
    what: '[SO-303] other packages, none of which the last run reached',
    now: { lockHash: 'l2' },
    facts: { packages: [], wouldHit: true },
    verdict: 'hit',
    headline:
      'The next run takes its result from the cache. The cell ran before with the same code, inputs and environment.',
  },
  {
    what: 'variables of the environment',
    now: { env: { REGION: 'y', ZONE: 'z' } },
    verdict: 'stale',
    headline: 'The variables REGION and ZONE changed. The code of this cell is unchanged.',
    differs: ['env REGION changed', 'env ZONE new'],
  },
  {
    what: 'a removed variable, and another worker',
    now: { env: {}, worker: 'gpu' },
    verdict: 'stale',
    headline:
      'The variable REGION changed. It now runs on another worker. The code of this cell is unchanged.',
    differs: ['env REGION gone', 'worker gpu changed'],
  },
  {
    what: 'a timeout is shown and makes nothing stale',
    now: { timeoutSeconds: 60 },
    facts: { status: 'ready' },
    verdict: 'fresh',
    headline: 'Up to date. Nothing it uses has changed since the last run.',
    differs: ['timeout timeout changed'],
  },
  {
    what: 'ready because of a stored result',
    facts: { status: 'ready', wasHit: true },
    verdict: 'hit',
    headline:
      'The result comes from the cache. The cell ran before with the same code, inputs and environment.',
  },
  {
    what: 'an edit that was taken back after other runs',
    now: { sourceHash: 's0' },
    facts: { status: 'idle', wouldHit: true },
    verdict: 'hit',
    headline:
      'The next run takes its result from the cache. The cell ran before with the same code, inputs and environment.',
    differs: ['source code changed'],
  },
  {
    what: 'a result that is no longer stored',
    facts: { status: 'idle' },
    verdict: 'miss',
    headline:
      'Nothing it uses has changed, but its result is no longer stored. Run the cell to create it again.',
  },
  {
    what: 'a run that failed over the same inputs',
    facts: { status: 'error', failed: true },
    verdict: 'miss',
    headline: 'The last run failed. Nothing it uses has changed since.',
  },
  {
    what: 'a run that failed, and inputs that changed since the last good one',
    now: { sourceHash: 's2' },
    facts: { status: 'error', failed: true },
    verdict: 'stale',
    headline: 'The last run failed. The code of this cell changed.',
    differs: ['source code changed'],
  },
  {
    what: 'a cell that has not run',
    facts: { status: 'idle', last: null, hasRun: false, hasStarted: false },
    verdict: 'never_run',
    headline: 'This cell has not run yet.',
    differs: ALL_NEW,
  },
  {
    what: 'a cell that waits for one that failed before its first run',
    facts: { status: 'stale', last: null, hasRun: false, hasStarted: false, pending: new Set(['load']) },
    verdict: 'never_run',
    headline: 'This cell has not run yet: trips has to run first.',
    differs: [
      'source code new',
      'input trips changed',
      'input rain new',
      'environment packages new',
      'timeout timeout new',
      'env REGION new',
      'worker local new',
    ],
  },
  {
    what: 'a cell whose only run was stopped',
    facts: { status: 'idle', last: null, hasRun: false, hasStarted: true },
    verdict: 'never_run',
    headline: 'This cell has not finished a run yet. Its last run was stopped.',
    differs: ALL_NEW,
  },
  {
    what: 'its first run failed',
    facts: { status: 'error', failed: true, last: null, hasRun: false },
    verdict: 'miss',
    headline: 'The last run failed. Nothing it uses has changed since.',
    differs: ALL_NEW,
  },
];

describe('[PV-20] why a cell has its status', () => {
  for (const { what, now, facts, verdict, headline, differs = [] } of CASES) {
    it(what, () => {
      const explained = explain({ ...STALE, ...facts, now: { ...RAN, ...now } });
      expect({ ...explained, inputs: undefined }).toEqual({ verdict, headline, inputs: undefined });
      expect(
        explained.inputs
          .filter(({ state }) => state !== 'same')
          .map(({ kind, name, state }) => `${kind} ${name} ${state}`),
      ).toEqual(differs);
    });
  }

  it('names the cell that produces an input, and shows no value of a variable', () => {
    const { inputs: rows } = explain({ ...STALE, now: { ...RAN, env: { REGION: 'secret' } } });
    expect(rows.find(({ name }) => name === 'trips')).toEqual({
      kind: 'input',
      name: 'trips',
      state: 'same',
      detail: 'from trips',
      cell_id: 'load',
    });
    expect(JSON.stringify(rows)).not.toContain('secret');
  });
});
