/** Tests loop cells on a real server: the carry, iterations, cache hits, failures and stopping. */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import type { LoopIteration } from '../../src-shared/wire/routes/cells.ts';
import type { ShownIteration } from '../../src-shared/wire/routes/extensions.ts';
import { connectLive } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-loops-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

let count = 0;
/** A notebook of these cells, by id. */
async function notebookOf(cells: Readonly<Record<string, string>>): Promise<OpenNotebook> {
  return openNotebook(
    server,
    join(root, `n${++count}`),
    Object.entries(cells).map(([id, source]) => ({ id, source })),
  );
}

interface Iterations {
  readonly cell_id: string;
  readonly variable: string | null;
  readonly iterations: readonly LoopIteration[];
}

async function iterationsOf(notebook: OpenNotebook, id: string, variable?: string): Promise<Iterations> {
  const query = variable === undefined ? '' : `?variable=${variable}`;
  const { status, body } = await notebook.get<Iterations>(`/cells/${id}/iterations${query}`);
  expect(status).toBe(200);
  return body;
}

/** The stored value behind a uri, as the blob's text. */
async function valuesOf(notebook: OpenNotebook, id: string): Promise<readonly string[]> {
  const { iterations } = await iterationsOf(notebook, id);
  return Promise.all(
    iterations.map(async ({ artifact_uri }) => {
      const query = new URLSearchParams({ artifact_uri });
      const { body } = await notebook.get<{ pageable: boolean }>(`/cells/${id}/data?${query}`);
      expect(body.pageable).toBe(false);
      return artifact_uri.replace(/^.*_var_/, '');
    }),
  );
}

function progress(frames: readonly ReceivedFrame[]) {
  return frames.flatMap((frame) => (frame.type === 'cell_iteration_progress' ? [frame.payload] : []));
}

const WORKED = {
  l0: 'state = 1\ntol = 20',
  l1: '# @loop max_iter=5 carry=state\n# @loop_until state > tol\nstate = state * 3\nprint(state)\nmark = state + 1\nstate',
  l2: 'state + mark',
  l3: '# @loop max_iter=2 carry=state start_from=l1@iter=1\nstate = state + 100',
};

describe('the worked loop (examples 8)', () => {
  let notebook: OpenNotebook;
  beforeAll(async () => {
    notebook = await notebookOf(WORKED);
  });

  it('[LO-1] links the carry, the until names and the loop it starts from', async () => {
    const { body } = await notebook.get<{
      edges: { from_cell_id: string; to_cell_id: string; variable: string }[];
    }>('/dag');
    expect(body.edges.map((e) => `${e.from_cell_id}-${e.to_cell_id} ${e.variable}`)).toEqual([
      'l0-l1 state',
      'l0-l1 tol',
      'l1-l2 mark',
      'l1-l2 state',
      'l1-l3 state',
    ]);
  });

  it('[LO-2] iterates until the expression is true; output is joined, displays are those of the last, each has frames', async () => {
    const live = await connectLive(server.url, notebook.sid);
    const ran = await notebook.execute('l1');
    expect(ran).toMatchObject({
      status: 'ready',
      execution_method: 'loop',
      cache_hit: false,
      stdout: '3\n9\n27\n',
      stderr: '',
    });
    expect(ran.displays.map(({ preview }) => preview)).toEqual([27]);
    expect(Object.keys(ran.outputs).sort()).toEqual(['_', 'mark', 'state']);
    const frames = progress(live.frames);
    expect(frames).toEqual(
      [0, 1, 2].map((iteration) => ({
        cell_id: 'l1',
        iteration,
        max_iter: 5,
        artifact_uri: expect.stringMatching(
          new RegExp(`^svc://artifact/nb_\\w+_cell_l1_var_state@iter=${iteration}@v=1$`),
        ),
        content_type: 'json/object',
        until_reached: iteration === 2,
        duration_ms: expect.any(Number),
      })),
    );
    const printed = live.frames.flatMap((f) => (f.type === 'cell_console' ? [f.payload.text] : []));
    expect(printed.join('')).toBe('3\n9\n27\n');
    const output = live.frames.find((f) => f.type === 'cell_output' && f.payload.cell_id === 'l1');
    expect(output?.payload).toMatchObject({ execution_method: 'loop', display: { preview: 27 } });
    await live.close();
  });

  it('[LO-3] stores every iteration, exactly as the route reports them', async () => {
    const iterations = await iterationsOf(notebook, 'l1');
    expect(iterations).toEqual({
      cell_id: 'l1',
      variable: 'state',
      iterations: [0, 1, 2].map((iteration) => ({
        iteration,
        artifact_uri: expect.stringMatching(/^svc:/),
        artifact_id: expect.stringMatching(new RegExp(`_var_state@iter=${iteration}$`)),
        version: 1,
        content_type: 'json/object',
        byte_size: expect.any(Number),
        row_count: null,
        created_at: expect.closeTo(Date.now() / 1_000, -4),
      })),
    });
    expect(await iterationsOf(notebook, 'l1', 'mark')).toEqual({
      cell_id: 'l1',
      variable: 'mark',
      iterations: [],
    });
    expect((await iterationsOf(notebook, 'l1', '__display__0')).iterations).toHaveLength(3);
    expect(await iterationsOf(notebook, 'l0')).toEqual({ cell_id: 'l0', variable: null, iterations: [] });
    expect(await valuesOf(notebook, 'l1')).toEqual([
      'state@iter=0@v=1',
      'state@iter=1@v=1',
      'state@iter=2@v=1',
    ]);
  });

  it('[LO-9] shows any iteration: its carry, displays and console', async () => {
    const look = (at: string) => notebook.get<ShownIteration>(`/x/cells/l1/iterations/${at}`);
    const { status, body } = await look('1');
    expect([status, body]).toMatchObject([
      200,
      {
        cell_id: 'l1',
        iteration: 1,
        count: 3,
        until_reached: false,
        carry: { name: 'state', output: { content_type: 'json/object', preview: 9, error: null } },
        displays: [{ preview: 9 }],
        stdout: '9\n',
        stderr: '',
      },
    ]);
    expect((await look('-1')).body).toMatchObject({ iteration: 2, until_reached: true, stdout: '27\n' });
    for (const at of ['3', '-4']) expect((await look(at)).status).toBe(404);
    expect((await notebook.get('/x/cells/l0/iterations/0')).status).toBe(404);
  });

  it('[LO-4] a second run is a hit and runs nothing', async () => {
    expect(await notebook.execute('l1')).toMatchObject({
      cache_hit: true,
      execution_method: 'cached',
      outputs: {},
      displays: [{ preview: 27 }],
    });
  });

  it('[LO-1] its readers get the final carry and its other stored values', async () => {
    expect((await notebook.execute('l2')).displays.map(({ preview }) => preview)).toEqual([55]);
  });

  it('[LO-5] another loop starts from one of its iterations', async () => {
    await notebook.execute('l3');
    const { artifact_uris } = await notebook.cell('l3');
    expect(Object.keys(artifact_uris)).toEqual(['state']);
    const { outputs } = await notebook.execute('l3', 'rerun');
    expect(outputs['state']).toMatchObject({ preview: 209 });
  });

  it('[LO-4] another max_iter gives another key, and existing iterations need not run', async () => {
    await notebook.edit('l1', WORKED.l1.replace('max_iter=5', 'max_iter=6'));
    expect(await notebook.cell('l1')).toMatchObject({ status: 'idle' });
    const live = await connectLive(server.url, notebook.sid);
    expect(await notebook.execute('l1')).toMatchObject({
      execution_method: 'loop',
      stdout: '3\n9\n27\n',
    });
    // The last iteration stores more than its carry, so it runs.
    expect(progress(live.frames).map((frame) => frame.iteration)).toEqual([1, 2]);
    await live.close();
    expect((await iterationsOf(notebook, 'l1')).iterations.map(({ version }) => version)).toEqual([2, 2, 2]);
  });

  it('[LO-6] an until expression that fails fails the cell at its iteration', async () => {
    await notebook.edit('l1', WORKED.l1.replace('state > tol', 'nope > 1'));
    const failed = await notebook.execute('l1');
    expect(failed).toMatchObject({ status: 'error', execution_method: 'error' });
    expect(failed.error).toBe(
      "Iteration 0 (of at most 5): the until expression `nope > 1` failed: NameError: name 'nope' is not defined",
    );
  });

  it('[LO-4] restoring the first text is a hit, and its iterations are listed again', async () => {
    await notebook.edit('l1', WORKED.l1);
    expect(await notebook.execute('l1')).toMatchObject({ cache_hit: true });
    expect((await iterationsOf(notebook, 'l1')).iterations.map(({ iteration }) => iteration)).toEqual([
      0, 1, 2,
    ]);
  });
});

const SEED = 'x = 1';
/** The messages of loops that cannot run, or fail. `loop` is the cell that is run. */
const FAILING: readonly {
  readonly name: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly says: string | RegExp;
}[] = [
  {
    name: 'no seed',
    cells: { loop: '# @loop max_iter=2 carry=x\nx = 1' },
    says: 'The loop has no initial value of `x`. Define `x` in a cell above, or start from an iteration of another loop with start_from=<cell>@iter=<number>.',
  },
  {
    name: 'a carry that is deleted',
    cells: { seed: SEED, loop: '# @loop max_iter=3 carry=x\nif x == 2:\n    del x\nelse:\n    x = x + 1' },
    says: 'Iteration 1 ended without its carry `x`: it was deleted. Leave `x` defined at the end of the cell.',
  },
  {
    name: 'a carry that cannot be stored',
    cells: { seed: SEED, loop: '# @loop max_iter=3 carry=x\nx = (i for i in range(3))' },
    says: /^Iteration 0 cannot store its carry `x` \(generator\): /,
  },
  {
    name: 'an error in the body',
    cells: { seed: SEED, loop: '# @loop max_iter=3 carry=x\nx = x - 1\n1 / x' },
    says: 'Iteration 0 (of at most 3): ZeroDivisionError: division by zero',
  },
  {
    name: 'an iteration that times out',
    cells: {
      seed: SEED,
      loop: '# @loop max_iter=3 carry=x\n# @timeout 0.5\nimport time\ntime.sleep(30 if x > 1 else 0)\nx = x + 1',
    },
    says: 'Iteration 1 (of at most 3): The cell ran longer than its limit of 0.5 s and was stopped.',
  },
  {
    name: 'a process that dies',
    cells: { seed: SEED, loop: '# @loop max_iter=3 carry=x\nimport os\nos._exit(3)' },
    says: /^Iteration 0 \(of at most 3\): /,
  },
  {
    name: 'a start from an unknown cell',
    cells: { loop: '# @loop max_iter=2 carry=x start_from=gone@iter=0\nx = x + 1' },
    says: 'start_from names `gone`, but there is no such cell. Use the id of a loop above this cell.',
  },
  {
    name: 'a start from the loop itself',
    cells: { seed: SEED, loop: '# @loop max_iter=2 carry=x start_from=loop@iter=0\nx = x + 1' },
    says: 'start_from names `loop`, which is this cell. Use a loop above it.',
  },
  {
    name: 'a start from a cell that is no loop',
    cells: { seed: SEED, loop: '# @loop max_iter=2 carry=x start_from=seed@iter=0\nx = x + 1' },
    says: 'start_from names `seed`, which is not a loop. Use a loop above this cell.',
  },
  {
    name: 'a start from a loop with another carry',
    cells: {
      seed: 'y = 1',
      other: '# @loop max_iter=2 carry=y\ny = y + 1',
      loop: '# @loop max_iter=2 carry=x start_from=other@iter=0\nx = x + 1',
    },
    says: 'start_from names `other`, which carries `y`, not `x`. Use a loop with the same carry.',
  },
  {
    name: 'a start from a loop below',
    cells: {
      seed: SEED,
      loop: '# @loop max_iter=2 carry=x start_from=other@iter=0\nx = x + 1',
      other: '# @loop max_iter=2 carry=x\nx = x + 1',
    },
    says: 'start_from names `other`, which is below this cell. Move it above this cell, or use another loop.',
  },
  {
    name: 'a start from an iteration that does not exist',
    cells: {
      seed: SEED,
      other: '# @loop max_iter=2 carry=x\nx = x + 1',
      loop: '# @loop max_iter=2 carry=x start_from=other@iter=7\nx = x + 1',
    },
    says: 'There is no iteration 7 to start from: the last run of other had 2 iterations, 0 to 1.',
  },
  {
    name: 'a mount that is written to',
    cells: { seed: SEED, loop: '# @loop max_iter=2 carry=x\n# @mount out file:///tmp rw\nx = x + 1' },
    says: /^A loop cannot write to a mount\..*`out`/,
  },
  {
    name: 'a fetch',
    cells: { seed: SEED, loop: '# @loop max_iter=2 carry=x\n# @fetch page https://example.org\nx = x + 1' },
    says: /^A loop cannot use @fetch. Fetch `page`/,
  },
  {
    name: 'a dataset',
    cells: { seed: SEED, loop: '# @loop max_iter=2 carry=x\n# @dataset d trips\nx = x + 1' },
    says: /^A loop cannot use @dataset. Read `d`/,
  },
  {
    name: 'an undefined worker',
    cells: { seed: SEED, loop: '# @loop max_iter=2 carry=x\n# @worker gpu\nx = x + 1' },
    says: /worker 'gpu' is unknown/,
  },
];

describe('[LO-6] a loop that cannot continue reports the reason', () => {
  for (const { name, cells, says } of FAILING) {
    it(name, async () => {
      const notebook = await notebookOf(cells);
      const failed = await notebook.execute('loop');
      expect(failed.status).toBe('error');
      if (typeof says === 'string') expect(failed.error).toBe(says);
      else expect(failed.error).toMatch(says);
    });
  }

  it('a remote worker', async () => {
    const notebook = await notebookOf({
      seed: SEED,
      loop: '# @loop max_iter=2 carry=x\n# @worker gpu\nx = x + 1',
    });
    const gpu = { name: 'gpu', backend: 'executor', config: { url: 'http://127.0.0.1:1/v1/execute' } };
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/workers`, { workers: [gpu] });
    const { status, error } = await notebook.execute('loop');
    expect([status, error]).toEqual(['error', expect.stringContaining('on this machine only, not on `gpu`')]);
  });

  it('an iteration left over from an older run is refused', async () => {
    const notebook = await notebookOf({
      seed: SEED,
      other: '# @loop max_iter=4 carry=x\nx = x + 1',
      loop: '# @loop max_iter=2 carry=x start_from=other@iter=3\nx = x + 1',
    });
    expect(await notebook.execute('loop')).toMatchObject({ status: 'ready' });
    await notebook.edit('other', '# @loop max_iter=2 carry=x\nx = x + 10');
    expect(await notebook.execute('loop')).toMatchObject({
      status: 'error',
      error:
        'Iteration 3 of other is from an older run (the last run of other had 2 iterations, 0 to 1). Start from one of those, or run other again.',
    });
    await notebook.edit('other', '# @loop max_iter=4 carry=x\nx = x + 1');
    expect(await notebook.execute('loop')).toMatchObject({ status: 'ready' });
  });
});

/** Cells, and what the loop shows at the end; `loop` is a leaf. */
const RUNNING: readonly {
  readonly name: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly shows: readonly unknown[];
  readonly iterations: number;
}[] = [
  {
    name: 'a carry changed in place',
    cells: { seed: 'xs = []', loop: '# @loop max_iter=3 carry=xs\nxs.append(len(xs))\nlist(xs)' },
    shows: [[0, 1, 2]],
    iterations: 3,
  },
  {
    name: 'an unchanged carry',
    cells: { seed: SEED, loop: '# @loop max_iter=2 carry=x\nx + 5' },
    shows: [6],
    iterations: 2,
  },
  {
    name: 'an until expression that uses names of the cell itself',
    cells: { seed: SEED, loop: '# @loop max_iter=9 carry=x until=done\nx = x * 2\ndone = x > 5\nx' },
    shows: [8],
    iterations: 3,
  },
  {
    name: 'one iteration',
    cells: { seed: SEED, loop: '# @loop max_iter=1 carry=x\nx = x + 1\nx' },
    shows: [2],
    iterations: 1,
  },
  {
    name: 'a cell without max_iter, which is no loop',
    cells: { seed: SEED, loop: '# @loop carry=x\nx = x + 1\nx' },
    shows: [2],
    iterations: 0,
  },
];

describe('[LO-2] the carry of a loop', () => {
  for (const { name, cells, shows, iterations } of RUNNING) {
    it(name, async () => {
      const notebook = await notebookOf(cells);
      const ran = await notebook.execute('loop');
      expect([ran.error, ran.displays.map(({ preview }) => preview)]).toEqual([null, shows]);
      expect((await iterationsOf(notebook, 'loop')).iterations).toHaveLength(iterations);
      expect(await notebook.execute('loop')).toMatchObject({ cache_hit: true });
    });
  }
});

describe('[LO-4] cache hits of a stored loop', () => {
  it('do not exist for a loop with @nocache', async () => {
    const notebook = await notebookOf({
      seed: SEED,
      loop: '# @nocache\n# @loop max_iter=2 carry=x\nx = x + 1',
    });
    for (let run = 0; run < 2; run++) {
      const live = await connectLive(server.url, notebook.sid);
      expect(await notebook.execute('loop')).toMatchObject({ cache_hit: false, execution_method: 'loop' });
      expect(progress(live.frames).map(({ iteration }) => iteration)).toEqual([0, 1]);
      await live.close();
    }
  });

  it('do not reuse iterations with other inputs, even if the carry is the same', async () => {
    const source = '# @loop max_iter=3 carry=x\nx = x + step';
    const notebook = await notebookOf({ seed: SEED, step: 'step = 1', loop: source, end: 'x' });
    expect((await notebook.execute('end')).displays[0]?.preview).toBe(4);
    await notebook.edit('step', 'step = 10');
    expect((await notebook.execute('end')).displays[0]?.preview).toBe(31);
    await notebook.edit('step', 'step = 1');
    await notebook.edit('loop', source.replace('max_iter=3', 'max_iter=5'));
    expect((await notebook.execute('end')).displays[0]?.preview).toBe(6);
  });

  it('do not reuse iterations with another mounted file', async () => {
    const file = join(root, 'step.txt');
    await writeFile(file, '1');
    const source = `# @loop max_iter=2 carry=x\n# @mount step file://${file}\nx = x + int(step.read_text())`;
    const notebook = await notebookOf({ seed: SEED, loop: source, end: 'x' });
    expect((await notebook.execute('end')).displays[0]?.preview).toBe(3);
    await writeFile(file, '10');
    await notebook.edit('loop', source.replace('max_iter=2', 'max_iter=3'));
    expect((await notebook.execute('end')).displays[0]?.preview).toBe(31);
  });

  it('show the console and displays of a leaf again, also after reopening', async () => {
    const notebook = await notebookOf({
      seed: SEED,
      loop: '# @loop max_iter=2 carry=x\nx = x + 1\nprint(x)\nx',
    });
    await notebook.execute('loop');
    await notebook.close();
    const again = await openNotebook(server, notebook.path);
    expect(await again.cell('loop')).toMatchObject({ status: 'ready', console_stdout: '2\n3\n' });
    expect(await again.execute('loop')).toMatchObject({
      cache_hit: true,
      stdout: '2\n3\n',
      displays: [{ preview: 3 }],
    });
    expect((await iterationsOf(again, 'loop')).iterations).toHaveLength(2);
  });
});

describe('[LO-7] stopping', () => {
  it('an endless loop stops within an iteration; finished iterations are stored, and the next run continues after them', async () => {
    const notebook = await notebookOf({
      seed: SEED,
      loop: '# @loop max_iter=100000 carry=x\nimport time\nx = x + 1\nprint(x, flush=True)\ntime.sleep(60 if x == 5 else 0)',
    });
    const live = await connectLive(server.url, notebook.sid);
    const running = notebook.execute('loop');
    await live.next('cell_iteration_progress', { where: ({ iteration }) => iteration === 1 });
    const cancelled = await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/loop/cancel`);
    expect(cancelled.body).toMatchObject({ cancelled: true });
    expect(await running).toMatchObject({ status: 'error', error_code: 'cancelled' });
    const iterationCount = (await iterationsOf(notebook, 'loop')).iterations.length;
    expect(iterationCount).toBeGreaterThanOrEqual(2);
    await live.close();
    const source = (await notebook.cell('loop')).source.replace('100000', '3');
    await notebook.edit('loop', source);
    expect(await notebook.execute('loop')).toMatchObject({ status: 'ready', stdout: '2\n3\n4\n' });
  });
});
