/** Tests R cells on a real server: loops, variants, cached output, and what R cells lack. Skipped without R. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoR } from '../support/everyLanguage.ts';
import { connectLive } from '../support/liveClient.ts';
import { rowsOfRun } from '../support/longRun.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

const missing = whyNoR();
let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-r-loops-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const r = (id: string, source: string): CellText => ({ id, source, language: 'r' });
let notebookCount = 0;
async function notebookOf(cells: readonly CellText[], toml = ''): Promise<OpenNotebook> {
  notebookCount += 1;
  return openNotebook(server, await writeReadyNotebook(join(root, `n${notebookCount}`), { cells, toml }));
}

/** The worked example of docs/spec/examples.md, section 8, in R, with a Python cell above and below. */
const LOOP = [
  { id: 'start', source: 'state = 1; tol = 20' },
  r(
    'loop',
    '# @loop max_iter=5 carry=state\n# @loop_until state > tol\nstate <- state * 3\ncat(state, "\\n")\nmark <- state + 1\nstate',
  ),
  { id: 'uses', source: 'print(state + mark)' },
  r('more', '# @loop max_iter=2 carry=state start_from=loop@iter=1\nstate <- state + 100'),
  r('last', 'cat(state)'),
] satisfies readonly CellText[];

describe.skipIf(missing !== null)(`loops in R ${missing ?? ''}`, () => {
  it('[LA-4] run until the R expression is true, pass on their carry, and are answered from the store', async () => {
    const open = await notebookOf(LOOP);
    const links = async () => {
      const { body } = await open.get<{
        edges: { from_cell_id: string; to_cell_id: string; variable: string }[];
      }>('/dag');
      return body.edges.map((edge) => `${edge.from_cell_id}-${edge.to_cell_id} ${edge.variable}`).sort();
    };
    expect(await links()).toEqual([
      'loop-more state',
      'loop-uses mark',
      'loop-uses state',
      'more-last state',
      'start-loop state',
      'start-loop tol',
    ]);
    const used = await open.execute('uses');
    expect([used.error, used.stdout]).toEqual([null, '55.0\n']);
    const ran = await open.cell('loop');
    expect(ran).toMatchObject({
      status: 'ready',
      execution_method: 'loop',
      console_stdout: '3 \n[1] 3\n9 \n[1] 9\n27 \n[1] 27\n',
    });
    expect(await open.execute('last')).toMatchObject({ stdout: '209' });
    expect(await open.execute('loop')).toMatchObject({ cache_hit: true });
    // With another max_iter the existing iterations are reused: none of them runs again.
    await open.edit('loop', LOOP[1]?.source.replace('max_iter=5', 'max_iter=6') ?? '');
    expect(await open.execute('loop')).toMatchObject({ status: 'ready' });
    await open.close();
  });

  const FAULTS: readonly (readonly [string, string, RegExp])[] = [
    [
      'an until expression that fails',
      '# @loop max_iter=3 carry=x\n# @loop_until nope > 1\nx <- x + 1',
      /^Iteration 0 \(of at most 3\): the until expression `nope > 1` failed: object 'nope' not found$/,
    ],
    [
      'an until expression that is NA',
      '# @loop max_iter=3 carry=x\n# @loop_until NA\nx <- x + 1',
      /`NA` failed: missing value where TRUE\/FALSE needed$/,
    ],
    [
      'a failing iteration',
      '# @loop max_iter=3 carry=x\nif (x == 2) stop("too far")\nx <- x + 1',
      /^Iteration 1 \(of at most 3\): Error: too far$/,
    ],
    ['a carry that is removed', '# @loop max_iter=3 carry=x\nrm(x)', /^Iteration 0 .*`x`/],
    [
      'a carry that is a function',
      '# @loop max_iter=3 carry=x\nx <- function(a) a',
      /^Iteration 0 .*function/,
    ],
  ];
  const isKept = ([what]: (typeof FAULTS)[number]): boolean => !/NA|removed/.test(what);
  it.each(rowsOfRun(FAULTS, isKept))(
    '[LA-4] fail with a message that names the iteration: %s',
    async (_what, source, words) => {
      const open = await notebookOf([{ id: 'start', source: 'x = 1' }, r('loop', source), r('reads', 'x')]);
      const { status, error } = await open.execute('loop');
      expect(status).toBe('error');
      expect(error).toMatch(words);
      await open.close();
    },
  );

  it('[LA-4] an until expression that R cannot parse, an unassigned carry and a max_iter of 0 are reported before the run', async () => {
    const open = await notebookOf([
      { id: 'start', source: 'x = 1' },
      r('broken', '# @loop max_iter=2 carry=x\n# @loop_until x >\nx <- x + 1'),
      r('other', '# @loop max_iter=2 carry=x\ny <- x'),
      r('none', '# @loop max_iter=0 carry=x\nx <- x'),
    ]);
    const codes = async (id: string) =>
      (await open.cell(id)).annotation_diagnostics.map(({ code, line }) => `${code} ${line}`);
    expect(await codes('broken')).toEqual(['loop_until_syntax_error 2']);
    expect(await codes('other')).toEqual(['loop_carry_unknown 1']);
    expect(await codes('none')).toEqual(['loop_missing_max_iter 1']);
    await open.close();
  });
});

describe.skipIf(missing !== null)(`R beside the other features ${missing ?? ''}`, () => {
  it('[LA-5] R cells can be variants, and read a sweep as a named list', async () => {
    const open = await notebookOf(
      [
        r('lo', '# @variant m lo\nscore <- 1'),
        r('hi', '# @variant m hi\nscore <- 2'),
        r('all', 'cat(paste(names(score), unlist(score)), sep = "\\n")'),
      ],
      '[[variant_group]]\ngroup = "m"\nactive = ""\nmode = "sweep"',
    );
    expect(await open.execute('all')).toMatchObject({ status: 'ready', stdout: 'hi 2\nlo 1\n' });
    expect(await open.execute('all')).toMatchObject({ cache_hit: true });
    await open.close();
  });

  it('[LA-7] a cache hit of an R cell that only prints shows its output, also after reopening', async () => {
    const open = await notebookOf([r('says', 'cat("hello\\n")\nwarning("careful")')]);
    expect(await open.execute('says')).toMatchObject({ cache_hit: false, stdout: 'hello\n' });
    const again = { cache_hit: true, stdout: 'hello\n', stderr: expect.stringContaining('careful') };
    expect(await open.execute('says')).toMatchObject(again);
    await open.close();
    const reopened = await openNotebook(server, open.path);
    expect((await reopened.cell('says')).status).toBe('ready');
    expect(await reopened.execute('says')).toMatchObject(again);
    await reopened.close();
  });

  it('[LA-6] consoles and tests, which R cells lack, are refused with a message', async () => {
    const open = await notebookOf([r('one', 'x <- 1')]);
    const live = await connectLive(server.url, open.sid);
    live.send('inspect_open', { cell_id: 'one' });
    const { payload } = await live.next('inspect_result');
    expect(payload).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        'Consoles are available only in Python cells. To inspect a value of an R cell, open a Python cell that reads it.',
      ),
    });
    const written = await rest(server.url, 'PUT', `/v1/notebooks/${open.sid}/cells/one/tests`, {
      source: 'def test_x(): pass',
    });
    const ran = await rest(server.url, 'POST', `/v1/notebooks/${open.sid}/cells/one/tests/run`);
    expect([written, ran].map(({ body }) => JSON.stringify(body)).join()).toContain(
      'Only Python cells have tests',
    );
    await live.close();
    await open.close();
  });
});
