import { describe, expect, it } from 'vitest';
import { cellId } from '../../src-shared/notebook/ids.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { type OneRun, runFanOut } from './runFanOut.ts';
import type { StepInput, StepOutcome } from './step.ts';
import { plainPython } from './testing/testStep.ts';

const PRODUCER = cellId('p');
const input = (variable: string, variant: string | null, perRun: boolean): StepInput => ({
  variable,
  producerId: PRODUCER,
  row: null,
  variant,
  perRun,
});

const REQUEST: Parameters<typeof runFanOut>[0] = {
  ...plainPython({
    source: '',
    cellId: cellId('f'),
    provenanceHash: 'P',
    contentKey: 'whole',
    inputs: [input('x', 'hi', true), input('x', 'lo', true), input('w', 'a', false), input('k', null, false)],
    defines: ['y'],
  }),
  shape: 'fan_out',
  runs: [
    { variant: 'hi', contentKey: 'of hi', unlockedKey: null, basis: '' },
    { variant: 'lo', contentKey: 'of lo', unlockedKey: null, basis: '' },
  ],
};

function row(variant: string): ArtifactRow {
  return {
    id: `y@variant=${variant}`,
    version: 1,
    state: 'ready',
    provenanceHash: variant,
    contentKey: null,
    contentType: 'json/object',
    contentSha256: variant,
    byteSize: 1,
    rowCount: null,
    schemaJson: null,
    createdAt: 0,
    params: {},
    inputVersions: {},
  };
}

const ran = (variant: string, stdout = ''): StepOutcome => ({
  kind: 'ran',
  published: [row(variant)],
  outputs: {
    y: { content_type: 'json/object', preview: variant },
    _: { content_type: 'json/object', preview: variant },
  },
  displays: [],
  stdout,
  stderr: '',
  method: 'warm',
  mutationWarnings: [{ var_name: 'x', message: 'changed', suggestion: null }],
  durationMs: 1,
});
const hit = (variant: string, stdout: string | null = null): Extract<StepOutcome, { kind: 'hit' }> => ({
  kind: 'hit',
  promoted: [row(variant)],
  displays: [],
  console: stdout === null ? null : { stdout, stderr: '' },
  variant,
  logRun: 'run-v0',
  durationMs: 1,
});
const failed: StepOutcome = {
  kind: 'failed',
  error: 'ValueError: no',
  traceback: 'Traceback',
  suggestInstall: null,
  stdout: 'so far',
  stderr: '',
  method: 'error',
  durationMs: 1,
};
const cancelled: StepOutcome = { kind: 'cancelled', stdout: '', stderr: '', durationMs: 1 };

interface Case {
  readonly what: string;
  /** By variant: the stored result, and the outcome of a run. */
  readonly stored?: Readonly<Record<string, Extract<StepOutcome, { kind: 'hit' }>>>;
  readonly runs?: Readonly<Record<string, StepOutcome>>;
  readonly ended: Partial<StepOutcome>;
  /** `variant index/total ok|error`. */
  readonly progress: readonly string[];
  readonly executed: readonly string[];
  readonly rows: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: '[VR-5] runs one after another, each reported when it has ended; consoles are grouped',
    runs: { hi: ran('hi', 'high'), lo: ran('lo', 'low\n') },
    ended: {
      kind: 'ran',
      method: 'fanout',
      stdout: '[variant=hi]\nhigh\n[variant=lo]\nlow\n',
      outputs: {
        'y@variant=hi': { content_type: 'json/object', preview: 'hi' },
        'y@variant=lo': { content_type: 'json/object', preview: 'lo' },
        _: { content_type: 'json/object', preview: 'lo' },
      },
      mutationWarnings: [{ var_name: 'x', message: 'changed', suggestion: null }],
    },
    progress: ['hi 0/2 ok', 'lo 1/2 ok'],
    executed: ['hi', 'lo'],
    rows: ['hi', 'lo'],
  },
  {
    what: '[VR-5] all of them stored: a hit that is still a fan-out, without progress',
    stored: { hi: hit('hi', 'high\n'), lo: hit('lo') },
    ended: {
      kind: 'hit',
      method: 'fanout',
      console: { stdout: '[variant=hi]\nhigh\n', stderr: '' },
      logRun: 'run',
    },
    progress: [],
    executed: [],
    rows: ['hi', 'lo'],
  },
  {
    what: '[VR-12] one of them stored: only the other runs',
    stored: { hi: hit('hi', 'high\n') },
    runs: { lo: ran('lo', 'low\n') },
    ended: { kind: 'ran', method: 'fanout', stdout: '[variant=hi]\nhigh\n[variant=lo]\nlow\n' },
    progress: ['hi 0/2 ok', 'lo 1/2 ok'],
    executed: ['lo'],
    rows: ['hi', 'lo'],
  },
  {
    what: '[VR-7] the second fails: the cell fails naming it, the results of the first are kept',
    runs: { hi: ran('hi'), lo: failed },
    ended: {
      kind: 'failed',
      error: '[variant=lo] ValueError: no',
      traceback: '[variant=lo]\nTraceback',
      stdout: '[variant=lo]\nso far',
    },
    progress: ['hi 0/2 ok', 'lo 1/2 ValueError: no'],
    executed: ['hi', 'lo'],
    rows: ['hi'],
  },
  {
    what: '[VR-7] the first fails: the second does not run',
    runs: { hi: failed },
    ended: { kind: 'failed', error: '[variant=hi] ValueError: no' },
    progress: ['hi 0/2 ValueError: no'],
    executed: ['hi'],
    rows: [],
  },
  {
    what: '[VR-7] stopped in the second',
    runs: { hi: ran('hi'), lo: cancelled },
    ended: { kind: 'cancelled' },
    progress: ['hi 0/2 ok', 'lo 1/2 Cancelled before it finished'],
    executed: ['hi', 'lo'],
    rows: ['hi'],
  },
];

describe('a cell that runs once per variant', () => {
  for (const { what, stored = {}, runs = {}, ended, progress, executed, rows } of CASES) {
    it(what, async () => {
      const lines: string[] = [];
      const requests: string[] = [];
      const outcome = await runFanOut(
        REQUEST,
        {
          signal: new AbortController().signal,
          runId: 'run',
          onConsole: () => undefined,
          onVariant: (one) =>
            lines.push(`${one.variant} ${one.index}/${one.total} ${one.success ? 'ok' : one.error}`),
        },
        {
          answer: async ({ variant }) => stored[variant ?? ''] ?? null,
          execute: async ({ variant }, { runId }) => {
            requests.push(variant ?? '');
            expect(runId).toBe(`run-v${requests.at(-1) === 'hi' ? 0 : 1}`);
            const end = runs[variant ?? ''];
            if (end === undefined) throw new Error(`${variant} was not to run`);
            return end;
          },
          keepLog: () => undefined,
        },
      );
      expect(outcome).toMatchObject(ended);
      expect([lines, requests]).toEqual([progress, executed]);
      const artifacts = outcome.kind === 'hit' ? outcome.promoted : (outcome.published ?? []);
      expect(artifacts.map(({ provenanceHash }) => provenanceHash)).toEqual(rows);
    });
  }

  it('[VR-11] each run receives its own value; dicts and plain values are unchanged', async () => {
    const requests: Parameters<OneRun['execute']>[0][] = [];
    await runFanOut(
      REQUEST,
      { signal: new AbortController().signal, runId: 'run', onConsole: () => undefined },
      {
        answer: async () => null,
        execute: async (request) => {
          requests.push(request);
          return ran(request.variant);
        },
        keepLog: () => undefined,
      },
    );
    expect(requests.map(({ variant, contentKey, inputs }) => ({ variant, contentKey, inputs }))).toEqual(
      ['hi', 'lo'].map((variant) => ({
        variant,
        contentKey: `of ${variant}`,
        inputs: [input('x', null, false), input('w', 'a', false), input('k', null, false)],
      })),
    );
  });

  it('[VR-5] the output of each run gets a heading as it is printed', async () => {
    const lines: string[] = [];
    await runFanOut(
      REQUEST,
      { signal: new AbortController().signal, runId: 'run', onConsole: ({ text }) => lines.push(text) },
      {
        answer: async () => null,
        execute: async ({ variant }, { onConsole }) => {
          onConsole({ stream: 'stdout', text: 'one ' });
          onConsole({ stream: 'stdout', text: 'two' });
          return ran(variant ?? '', 'one two');
        },
        keepLog: () => undefined,
      },
    );
    expect(lines.join('')).toBe('[variant=hi]\none two\n[variant=lo]\none two');
  });
});
