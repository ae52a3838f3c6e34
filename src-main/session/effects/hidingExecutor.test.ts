import { expect, it } from 'vitest';
import type { ExecOutcome, ExecRequest } from '../../exec/executor.ts';
import { createRedactor, NOTHING_HIDDEN } from '../../lib/redactor.ts';
import { hidingRuns } from './hidingExecutor.ts';

const SECRET = 'canary-value-0123456789';
const redactor = createRedactor([SECRET]);
const variable = {
  content_type: 'json/object',
  bytes: 3,
  preview: { [SECRET]: [SECRET, 7] },
  text: `<${SECRET}>`,
};
const base = {
  method: 'cold' as const,
  durationMs: 1,
  stdout: `a ${SECRET} b`,
  stderr: `[… 9 bytes of earlier output left out …]\n${SECRET.slice(8)}`,
};
const result = {
  success: false as const,
  variables: { x: variable },
  displays: [variable],
  mutation_warnings: [],
  build_env: 'e',
  error: `E: ${SECRET}`,
  traceback: `T ${SECRET}`,
};

const OUTCOMES: readonly ExecOutcome[] = [
  { kind: 'finished', ...base, result },
  {
    kind: 'finished',
    ...base,
    result: {
      success: true,
      variables: { x: variable },
      displays: [],
      mutation_warnings: [],
      build_env: 'e',
    },
  },
  { kind: 'crashed', ...base, message: `ended with ${SECRET}` },
];

it.each(OUTCOMES)(
  '[SG-64] the texts of a run contain no known value, for any end ($kind)',
  async (outcome) => {
    const runs = hidingRuns({ run: async () => outcome }, () => redactor);
    const runOutcome = await runs.run({}, null);
    const { displays: _, ...texts } = runOutcome.kind === 'finished' ? runOutcome.result : { displays: [] };
    expect(JSON.stringify({ ...runOutcome, result: texts })).not.toContain(SECRET);
    expect(runOutcome.stdout).toBe('a [hidden] b');
    expect(runOutcome.stderr).toBe('[… 9 bytes of earlier output left out …]\n[hidden]');
    // The cell produced the displays itself.
    if (runOutcome.kind === 'finished' && outcome.kind === 'finished')
      expect(runOutcome.result.displays).toEqual(outcome.result.displays);
  },
);

it('[SG-64] a separate log gets the redacting streams; without known values nothing is changed', async () => {
  const runRequests: Pick<ExecRequest, 'consoleLog'>[] = [];
  const inner = {
    run: async (request: Pick<ExecRequest, 'consoleLog'>) => {
      runRequests.push(request);
      return OUTCOMES[0] as ExecOutcome;
    },
  };
  const request = { consoleLog: { stdout: '/a', stderr: '/b', maxBytes: 9 } };
  await hidingRuns(inner, () => redactor).run(request, null);
  expect(runRequests[0]?.consoleLog).toMatchObject(request.consoleLog);
  expect(runRequests[0]?.consoleLog?.hide?.().push(`${SECRET}\n`)).toBe('[hidden]\n');
  expect(await hidingRuns(inner, () => NOTHING_HIDDEN).run(request, null)).toBe(OUTCOMES[0]);
  expect(runRequests[1]).toBe(request);
});
