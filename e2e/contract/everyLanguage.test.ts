/** Tests the example of every language, with `svc run` and on a real server: databases, R, a fake model and widgets. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyExample } from '../support/copyExample.ts';
import { type EveryLanguage, SAID, startEveryLanguage, whatIsMissing } from '../support/everyLanguage.ts';
import { connectLive } from '../support/liveClient.ts';
import { IS_LONG, longTest } from '../support/longRun.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { copyEnvironment } from '../support/preparedEnvironment.ts';
import { startServerProcess } from '../support/serverProcess.ts';
import { type RunReport, svc } from '../support/svcCommand.ts';

const missing = whatIsMissing();
/** Every cell except text cells, in the order of the file. */
const CELLS = [
  'limits',
  'birds',
  'noted',
  'days',
  'charted',
  'islands',
  'model',
  'picture',
  'away',
  'facts',
  'summary',
  'told',
  'controls',
  'guess',
];

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-every-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** The first copy that was run; the other copies use its environment, because installing it takes long. */
let first: string | null = null;
async function withEnvironment(copy: Promise<string>): Promise<string> {
  const dir = await copy;
  if (first !== null) await copyEnvironment(first, dir, { isLinked: true });
  return dir;
}

async function headless(dir: string, env: Readonly<Record<string, string>> = {}): Promise<RunReport> {
  const { stdout, stderr } = await svc(['run', dir, '--format', 'json'], { env });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as RunReport;
}

/** The cells that ran, in the order of the file; none may have failed. */
function ran({ cells }: RunReport): readonly string[] {
  expect(cells.map(({ id, error }) => [id, error])).toEqual(cells.map(({ id }) => [id, undefined]));
  return CELLS.filter((id) => cells.some((cell) => cell.id === id && !cell.cache_hit));
}

describe.skipIf(missing !== null)(`the example of every language ${missing ?? ''}`, () => {
  let around: EveryLanguage;
  beforeAll(async () => {
    around = await startEveryLanguage();
  });
  afterAll(() => around.close());

  it('[LA-1] headless: Python, three databases, R, a model and controls; the second run is all hits', async () => {
    const dir = await around.copy(root);
    const report = await headless(dir, around.env);
    first = dir;
    expect(ran(report)).toEqual(CELLS);
    const printed = report.cells.find(({ id }) => id === 'model')?.stdout;
    expect(printed).toBe('226 birds, R squared 0.813 \n');
    expect(around.ai.asked.map(({ body }) => body?.messages.at(-1)?.content)).toEqual([
      expect.stringMatching(/^Describe these penguins .*\n\n\{\n {2}"Adelie": \{\n {4}"birds": \d+,\n/),
    ]);
    expect(ran(await headless(dir, around.env))).toEqual([]);
    expect(around.ai.asked).toHaveLength(1);
    // A changed value and the earlier one again: sqlExample.test.ts changes a bound value.
    if (!IS_LONG) return;
    const limits = join(dir, 'cells/limits.py');
    await writeFile(limits, (await readFile(limits, 'utf8')).replace('3000', '4000'));
    const others = ['noted', 'days', 'charted', 'islands', 'controls'];
    expect(ran(await headless(dir, around.env))).toEqual(CELLS.filter((id) => !others.includes(id)));
    expect(around.ai.asked).toHaveLength(2);
    await writeFile(limits, (await readFile(limits, 'utf8')).replace('4000', '3000'));
    expect(ran(await headless(dir, around.env))).toEqual([]);
    expect(around.ai.asked).toHaveLength(2);
  });

  it('[LA-2] served: a moved control runs the cell that reads it, without another request to the model', async () => {
    const dir = await withEnvironment(around.copy(await mkdtemp(join(root, 'served-'))));
    const server = await startServerProcess({ grants: [root], env: around.env });
    try {
      const open = await openNotebook(server, dir);
      const live = await connectLive(server.url, open.sid);
      live.send('notebook_run_all', {});
      await live.next('cell_status', {
        where: ({ cell_id, status }) => cell_id === 'guess' && status === 'ready',
        timeoutMs: 90_000,
      });
      await expect.poll(async () => (await open.cell('told')).status).toBe('ready');
      expect((await open.cell('told')).display_outputs[0]?.markdown_text).toContain(SAID);
      const requestCount = around.ai.asked.length;
      const since = live.mark();
      live.send('widget_update', { cell_id: 'controls', values: { flipper: 210 } });
      await live.next('cell_output', { since, where: ({ cell_id }) => cell_id === 'guess' });
      expect((await open.cell('guess')).display_outputs[0]?.markdown_text).toContain('**210 mm**');
      const outputs = live.frames
        .slice(since)
        .flatMap((frame) => (frame.type === 'cell_output' ? [frame.payload.cell_id] : []));
      expect(outputs).toEqual(['controls', 'guess']);
      expect(around.ai.asked).toHaveLength(requestCount);
      await live.close();
      await open.close();
    } finally {
      await server.dispose();
    }
  });

  longTest('e2e/contract/everyLanguage.test.ts', 'e2e/contract/prompts.test.ts')(
    '[LA-3] without PostgreSQL and a model, the file databases, R and the controls run; the prompt says where to put a key',
    async () => {
      const dir = await withEnvironment(copyExample('every-language', await mkdtemp(join(root, 'r-alone-'))));
      // The password of a PostgreSQL that is not running.
      const { cells } = await headless(dir, { CELLAR_EXAMPLE_PASSWORD: 'x' });
      const failed = cells.filter(({ status }) => status !== 'ok');
      expect(Object.fromEntries(failed.map(({ id, error, reason }) => [id, error ?? reason]))).toEqual({
        charted: expect.stringMatching(/^The connection "islands" .*127\.0\.0\.1:5432/),
        islands: 'upstream failed',
        away: 'upstream failed',
        summary: expect.stringContaining('No AI provider is configured. Add'),
        told: 'upstream failed',
      });
    },
  );
});

// Each of these cells is tested with a notebook of its own.
longTest(
  'e2e/contract/rCells.test.ts',
  'e2e/contract/sqlCells.test.ts',
  'src-main/run/prompt/promptStep.test.ts',
)(
  '[LA-3] without R, a PostgreSQL or a model the example says what to do, and runs everything else',
  async () => {
    const dir = await withEnvironment(copyExample('every-language', await mkdtemp(join(root, 'bare-'))));
    const { cells } = await headless(dir, { SVC_RSCRIPT: join(root, 'nowhere/Rscript') });
    const noR = expect.stringContaining('Install R');
    // Without R the names of an R cell are unknown (analysis-and-graph 1.2), so the cell that uses one has no edge to it.
    expect(
      Object.fromEntries(cells.flatMap((cell) => (cell.status === 'ok' ? [] : [[cell.id, cell.error]]))),
    ).toEqual({
      charted: expect.stringContaining('needs CELLAR_EXAMPLE_PASSWORD'),
      islands: undefined,
      model: noR,
      picture: noR,
      away: noR,
      facts: "NameError: name 'fitted' is not defined",
      guess: "NameError: name 'line' is not defined",
      summary: undefined,
      told: undefined,
    });
  },
);
