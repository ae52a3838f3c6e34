/** Tests the set-up cell on a real server and a real worker: the process state of other cells, failures, and edits. */

import { rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Explanation } from '../../src-shared/wire/routes/extensions.ts';
import { connectLive } from '../support/liveClient.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

let root = '';
let server: ServerProcess;
let worker: WorkerProcess;
/** A proxy of the worker that poses as a worker without support for set-up cells. */
let olderWorker: Server;

beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-setup-'));
  worker = await startWorkerProcess({
    env: { SVC_WORKER_TOKEN: 'a-token', SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1' },
  });
  olderWorker = await withoutFeature(worker.url);
});
afterAll(async () => {
  await server?.dispose();
  olderWorker?.closeAllConnections();
  olderWorker?.close();
  await worker?.stop();
  await rm(root, { recursive: true, force: true });
});

/** A proxy of the worker at this address that leaves set-up cells out of the features in `/health`. */
async function withoutFeature(url: string): Promise<Server> {
  const proxy = createServer(async (asked, answer) => {
    if (asked.url === '/health') {
      const health = (await (await fetch(`${url}/health`)).json()) as {
        capabilities: { features: Record<string, unknown> };
      };
      delete health.capabilities.features['setup_cell'];
      answer.end(JSON.stringify(health));
      return;
    }
    const { method, headers } = asked;
    const onward = request(`${url}${asked.url}`, { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

let count = 0;
async function notebookOf(cells: Readonly<Record<string, string>>): Promise<OpenNotebook> {
  const texts = Object.entries(cells).map(([id, source]) => ({ id, source }));
  const notebook = await openNotebook(server, join(root, `n${++count}`), texts);
  const at = `http://127.0.0.1:${(olderWorker.address() as AddressInfo).port}`;
  const ways = {
    ours: [worker.url, 'direct'],
    pulled: [worker.url, 'signed'],
    strange: [at, 'direct'],
  } as const;
  const workers = Object.entries(ways).map(([name, [url, transport]]) => ({
    name,
    backend: 'executor',
    config: { url: `${url}/v1/execute`, transport },
  }));
  await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/workers`, { workers });
  for (const { name } of workers) {
    const token = { name, token: 'a-token' };
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/x/workers/token`, token);
  }
  return notebook;
}

/** What the set-up cell does, a cell below that shows it, and what that cell prints, as in a plain interpreter. */
const STATE: Readonly<Record<string, readonly [setup: string, reader: string, printed: string]>> = {
  seed: ['import random\nrandom.seed(42)', 'import random\nprint(random.random())', '0.6394267984578837\n'],
  environment: ['import os\nos.environ["FLAG"] = "1"', 'import os\nprint(os.environ["FLAG"])', '1\n'],
  folder: [
    'import os\nos.makedirs("sub", exist_ok=True)\nos.chdir("sub")',
    'import os\nprint(os.path.basename(os.getcwd()))',
    'sub\n',
  ],
  path: [
    'import os, sys\nos.makedirs("lib2", exist_ok=True)\nopen("lib2/zmod.py", "w").write("V=1")\nsys.path.insert(0, "lib2")',
    'import zmod\nprint(zmod.V)',
    '1\n',
  ],
  warnings: [
    'import warnings\nwarnings.simplefilter("error")',
    'import warnings\ntry:\n    warnings.warn("w")\n    print("warned")\nexcept UserWarning:\n    print("raised")',
    'raised\n',
  ],
  decimal: [
    'import decimal\ndecimal.getcontext().prec = 3',
    'import decimal\nprint(decimal.Decimal(1) / 3)',
    '0.333\n',
  ],
  'module attribute': ['import math\nmath.pi = 3', 'import math\nprint(math.pi)', '3\n'],
  'run once': ['import sys\nsys.times = getattr(sys, "times", 0) + 1', 'import sys\nprint(sys.times)', '1\n'],
  'replaced function': [
    'import json\njson.dumps = lambda *a, **k: "ours"',
    'import json\nprint(json.dumps(1))',
    'ours\n',
  ],
};

describe('[SO-173] every cell starts with the process state of the set-up cell', () => {
  const PLACES = {
    here: '',
    'on a worker': '# @worker ours\n',
    'on a worker that fetches': '# @worker pulled\n',
    'on another worker': '# @worker strange\n',
  };
  const isKept = ([place]: readonly [string, string]): boolean => /here|another/.test(place);
  it.each(rowsOfRun(Object.entries(PLACES), isKept))('%s', async (_place, annotation) => {
    const rows = Object.entries(STATE);
    const setup = rows.map(([, [text]]) => text).join('\n');
    const readers = rows.map(([, [, text]], at) => [`read${at}`, annotation + text] as const);
    const notebook = await notebookOf({
      s: `# @setup\nprint("set up")\n${setup}`,
      ...Object.fromEntries(readers),
    });
    for (const [at, [what, [, , printed]]] of rows.entries()) {
      const { status, error, stdout, stderr } = await notebook.execute(`read${at}`);
      expect({ what, status, error, stdout, stderr }).toEqual({
        what,
        status: 'ready',
        error: null,
        stdout: printed,
        stderr: '',
      });
    }
  });

  it('so does each iteration of a loop', async () => {
    const notebook = await notebookOf({
      s: '# @setup\nimport decimal\ndecimal.getcontext().prec = 3',
      state: 'state = ""',
      loop: '# @loop max_iter=2 carry=state\nimport decimal\nstate = state + str(decimal.Decimal(1) / 3) + " "',
      after: 'print(state)',
    });
    await notebook.execute('loop');
    expect((await notebook.execute('after')).stdout).toBe('0.333 0.333 \n');
  });

  it('so does a console inside a cell', async () => {
    const notebook = await notebookOf({ s: '# @setup\nimport math\nmath.tau2 = 7', a: 'x = 1' });
    await notebook.execute('a');
    const live = await connectLive(server.url, notebook.sid, '?extensions=1');
    const ask = async (action: 'open' | 'eval' | 'close', payload: object = {}) => {
      const since = live.mark();
      live.send(`inspect_${action}`, { cell_id: 'a', ...payload });
      return (await live.next('inspect_result', { since, where: (result) => result.action === action }))
        .payload;
    };
    expect(await ask('open')).toMatchObject({ ok: true });
    expect(await ask('eval', { expr: '__import__("math").tau2' })).toMatchObject({ result: '7' });
    await notebook.edit('s', '# @setup\n1 / 0');
    await ask('close');
    const refused = await ask('open');
    live.close();
    expect(JSON.stringify(refused)).toContain('The setup cell failed');
  });
});

describe('[SO-174] a set-up cell that fails', () => {
  it.each(['', '# @worker ours\n', '# @worker strange\n'])(
    'keeps cells from running: %j',
    async (annotation) => {
      const notebook = await notebookOf({ s: '# @setup\nx = 1\n1 / 0', a: `${annotation}print("ran")` });
      const failed = await notebook.execute('a');
      expect(failed).toMatchObject({ status: 'error', stdout: '' });
      expect(failed.error).toContain('The setup cell failed: ZeroDivisionError: division by zero');
      expect(failed.traceback).toContain('File "<set-up cell x>", line 3');
      await notebook.edit('s', '# @setup\nx = 1');
      expect((await notebook.cell('a')).status).toBe('idle');
      expect(await notebook.execute('a')).toMatchObject({ status: 'ready', stdout: 'ran\n' });
    },
  );
});

describe('[SO-176] an edit of the set-up cell', () => {
  it('makes every Python cell stale, also after reopening; a comment does not', async () => {
    const cells = { s: '# @setup\nimport math\nmath.pi = 3', a: 'import math as m\nprint(m.pi)', b: 'z = 1' };
    let notebook = await notebookOf(cells);
    for (const id of ['s', 'a', 'b']) await notebook.execute(id);
    await notebook.edit('s', `${cells.s}  # about`);
    expect((await notebook.cell('a')).status).toBe('ready');
    await notebook.edit('s', '# @setup\nimport math\nmath.pi = 4');
    await notebook.close();
    notebook = await openNotebook(server, notebook.path);
    for (const id of ['a', 'b']) expect((await notebook.cell(id)).status).not.toBe('ready');
    const explained = await notebook.get<Explanation>('/x/cells/a/explain');
    expect(explained.body.headline).toMatch(/^The setup cell .* changed\./);
    expect(await notebook.execute('a')).toMatchObject({ cache_hit: false, stdout: '4\n' });
    await notebook.edit('s', cells.s);
    expect(await notebook.execute('a')).toMatchObject({ cache_hit: true, stdout: '3\n' });
  });

  it('[SO-178] the output of a set-up cell is shown only there', async () => {
    const notebook = await notebookOf({ s: '# @setup\nprint("hello")\n5', a: 'print("mine")\n6' });
    expect(await notebook.execute('s')).toMatchObject({ stdout: 'hello\n' });
    const ran = await notebook.execute('a');
    expect(ran.stdout).toBe('mine\n');
    expect(ran.outputs).not.toEqual(expect.objectContaining({ _: expect.objectContaining({ preview: 5 }) }));
    expect((await notebook.cell('a')).display_outputs).toHaveLength(1);
  });
});
