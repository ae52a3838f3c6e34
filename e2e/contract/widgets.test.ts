/**
 * Tests widget cells on a real server: values in Python, the cells that a moved control runs, hits, wrong declarations.
 */

import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { connectLive, type LiveClient } from '../support/liveClient.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-widgets-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** The worked example of examples 9, and the cells that read it. */
const CONTROLS =
  "# @live\nalpha = slider(0, 1, default=0.5)\nn = number(10)\nkind = dropdown(['a', 'b'])\non = checkbox()";
const CELLS = [
  { id: 'w', source: CONTROLS, language: 'widget' },
  { id: 'b', source: 'beta = alpha * 2\nprint(type(alpha).__name__, alpha)\nbeta' },
  { id: 'c', source: 'print(beta)' },
  { id: 'd', source: 'print(type(n).__name__, n, kind, on)' },
] as const;

async function opened(name: string, cells: Parameters<typeof writeNotebook>[1]['cells'] = CELLS) {
  const notebook = await openNotebook(server, await writeReadyNotebook(join(root, name), { cells }));
  return { notebook, live: await connectLive(server.url, notebook.sid) };
}

async function runAll(live: LiveClient, last: string): Promise<void> {
  const since = live.mark();
  live.send('notebook_run_all', {});
  await live.next('cell_status', { since, where: (one) => one.cell_id === last && one.status === 'ready' });
}

/** Sets controls and waits until `cell` is ready afterwards; returns the cells that ran until then, in order. */
async function move(live: LiveClient, values: Record<string, unknown>, cell: string): Promise<string[]> {
  const since = live.mark();
  live.send('widget_update', { cell_id: 'w', values });
  await live.next('cell_output', { since, where: (one) => one.cell_id === cell });
  await live.next('cell_status', { since, where: (one) => one.cell_id === cell && one.status === 'ready' });
  return live.frames
    .slice(since)
    .flatMap((frame) =>
      frame.type === 'cell_output' && !frame.payload.cache_hit ? [frame.payload.cell_id] : [],
    );
}

const statuses = async (notebook: OpenNotebook) => {
  const { body } = await notebook.get<{ cells: Cell[] }>('/cells');
  return Object.fromEntries(body.cells.map(({ id, status }) => [id, status]));
};

describe('widgets through a server', () => {
  it('[WG-7] [WG-10] [WG-13] [WG-15] the worked example: which values are accepted, which cells run, and the values in Python', async () => {
    const { notebook, live } = await opened('worked');
    await runAll(live, 'd');
    expect((await notebook.cell('w')).widget).toEqual({
      descriptors: [
        { name: 'alpha', kind: 'slider', params: { min: 0, max: 1, default: 0.5, step: 0.01 }, default: 0.5 },
        { name: 'n', kind: 'number', params: { default: 10 }, default: 10 },
        { name: 'kind', kind: 'dropdown', params: { options: ['a', 'b'] }, default: 'a' },
        { name: 'on', kind: 'checkbox', params: {}, default: false },
      ],
      values: {},
    });
    const other = await connectLive(server.url, notebook.sid);
    expect(await move(live, { alpha: 7, zz: 1 }, 'c')).toEqual(['w', 'b', 'c']);
    expect((await notebook.cell('b')).console_stdout).toBe('float 1.0\n');
    expect(await move(live, { n: '12', kind: 'z', on: 0 }, 'd')).toEqual(['w', 'd']);
    expect((await notebook.cell('d')).console_stdout).toBe('int 12 a False\n');
    const outputFrame = await other.next('cell_output', { where: (one) => one.widget?.values['n'] === 12 });
    expect(outputFrame.payload).toMatchObject({
      cell_id: 'w',
      execution_method: 'widget',
      widget: { values: { alpha: 1, n: 12, on: false } },
    });
    await Promise.all([live.close(), other.close()]);
    await notebook.close();
    const again = await openNotebook(server, notebook.path);
    expect((await again.cell('w')).widget?.values).toEqual({ alpha: 1, n: 12, on: false });
    expect(await statuses(again)).toEqual({ w: 'ready', b: 'ready', c: 'ready', d: 'ready' });
    await again.close();
  });

  it('[WG-9] an earlier value is a hit, and so are its readers', async () => {
    const { notebook, live } = await opened('old', [
      { id: 'w', source: 'alpha = slider(0, 1, default=0.5)', language: 'widget' },
      { id: 'b', source: 'alpha * 2' },
    ]);
    await runAll(live, 'b');
    for (const alpha of [0.25, 0.5]) {
      const since = live.mark();
      live.send('widget_update', { cell_id: 'w', values: { alpha } });
      const { payload } = await live.next('cell_output', { since });
      expect([payload.cell_id, payload.cache_hit]).toEqual(['w', alpha === 0.5]);
      await live.next('cell_status', { since, where: (one) => one.cell_id === 'b' });
    }
    expect(await statuses(notebook)).toEqual({ w: 'ready', b: 'ready' });
    await live.close();
    await notebook.close();
  });

  it('[WG-8] a viewer can move controls but nothing else', async () => {
    const { notebook, live } = await opened('viewer');
    await runAll(live, 'd');
    const viewer = await connectLive(server.url, notebook.sid, '?role=viewer');
    expect(await move(viewer, { alpha: 0.25 }, 'c')).toEqual(['w', 'b', 'c']);
    viewer.send('cell_execute', { cell_id: 'b' });
    const { payload } = await viewer.next('error');
    expect(payload.code).toBe('read_only');
    for (const values of [{}, { alpha: 'x' }, { nobody: 1 }]) {
      const since = viewer.mark();
      viewer.send('widget_update', { cell_id: 'w', values });
      expect((await viewer.next('error', { since })).payload.error).toContain('Nothing was changed');
    }
    await Promise.all([live.close(), viewer.close()]);
    await notebook.close();
  });

  it('[WG-5] a wrong declaration is reported before the run, and fails the run with a message', async () => {
    const { notebook, live } = await opened('wrong', [
      { id: 'w', source: 'a = slyder(0, 1)\nb = checkbox()', language: 'widget' },
    ]);
    expect((await notebook.cell('w')).annotation_diagnostics).toMatchObject([
      { code: 'widget_invalid', line: null },
    ]);
    const result = await notebook.execute('w');
    expect(result).toMatchObject({
      status: 'error',
      error: expect.stringContaining('`slyder` is not a control'),
    });
    await live.close();
    await notebook.close();
  });

  it('[WG-14] a notebook of widgets alone needs no Python', async () => {
    const dir = await writeNotebook(join(root, 'alone'), {
      cells: [{ id: 'w', source: 'a = slider(0, 1)', language: 'widget' }],
    });
    const bare = await startServerProcess({ grants: [root], env: { SVC_UV: '/nowhere/uv' } });
    try {
      const answer = await fetch(`${bare.url}/v1/notebooks/open`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ path: dir }),
      });
      const { session_id: sid } = (await answer.json()) as { session_id: string };
      const live = await connectLive(bare.url, sid);
      live.send('widget_update', { cell_id: 'w', values: { a: 0.5 } });
      const { payload } = await live.next('cell_output');
      expect(payload).toMatchObject({ cell_id: 'w', widget: { values: { a: 0.5 } } });
      await live.close();
    } finally {
      await bare.dispose();
    }
  });
});

describe('the example of widgets', () => {
  it('[WG-10] on a server, a moved control runs only the cells that depend on it', async () => {
    const dir = join(root, 'slider-and-chart');
    await cp(join(PROJECT_ROOT, 'examples/slider-and-chart'), dir, {
      recursive: true,
      filter: (path) => !/[/\\](\.svc|\.venv|uv\.lock)$/.test(path),
    });
    const notebook = await openNotebook(server, dir);
    const live = await connectLive(server.url, notebook.sid);
    await runAll(live, 'numbers');
    const since = live.mark();
    live.send('widget_update', { cell_id: 'controls', values: { cycles: 5 } });
    await live.next('cell_status', {
      since,
      where: (one) => one.cell_id === 'numbers' && one.status === 'ready',
    });
    const ran = live.frames
      .slice(since)
      .flatMap((frame) => (frame.type === 'cell_output' ? [frame.payload.cell_id] : []));
    expect(ran).toEqual(['controls', 'wave', 'chart', 'numbers']);
    await live.close();
    await notebook.close();
  });
});
