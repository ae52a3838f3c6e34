/** Tests variants of cells on a real server, over REST and live: sweeps, choosing, adding, deleting. */

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell, VariantGroup } from '../../src-shared/wire/cell.ts';
import type { Dag } from '../../src-shared/wire/dag.ts';
import { connectLive } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-variants-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** The worked example of docs/spec/examples.md, section 7. */
const WORKED = [
  { id: 's0', source: 'base = 10' },
  { id: 'va', source: '# @variant m lo\nprint("low")\nscore = base + 1' },
  { id: 'vb', source: '# @variant m hi\nscore = base + 2\nextra = 1' },
  { id: 'f1', source: '# @per_variant\nprint("of", score)\nsq = score * 2\nsq' },
  { id: 'c1', source: 'score' },
  { id: 'c2', source: 'sq' },
  { id: 'c3', source: 'extra' },
];
const SWEEP = '[[variant_group]]\ngroup = "m"\nactive = ""\nmode = "sweep"\n';

async function worked(name: string, toml?: string): Promise<OpenNotebook> {
  const dir = await writeReadyNotebook(join(root, name), {
    cells: WORKED,
    ...(toml === undefined ? {} : { toml }),
  });
  return openNotebook(server, dir);
}

interface Groups {
  readonly variant_groups: readonly VariantGroup[];
  readonly cells: readonly Cell[];
}

const put = (notebook: OpenNotebook, group: string, body: unknown) =>
  rest<Groups>(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/variant-groups/${group}`, body);
const shows = async (notebook: OpenNotebook, cell: string) => (await notebook.execute(cell)).display?.preview;

describe('variants through a server', () => {
  it('[VR-5] [VR-10] [VR-11] the worked example as a sweep gives dicts, runs once per variant, and is all hits in the second run', async () => {
    const notebook = await worked('swept', SWEEP);
    const live = await connectLive(server.url, notebook.sid);
    expect(await shows(notebook, 'c1')).toEqual({ hi: 12, lo: 11 });
    expect(await shows(notebook, 'c2')).toEqual({ hi: 24, lo: 22 });
    expect(await shows(notebook, 'c3')).toEqual({ hi: 1 });
    const progress = live.frames.flatMap((frame) =>
      frame.type === 'cell_variant_progress' ? [frame.payload] : [],
    );
    expect(progress.map(({ duration_ms, ...told }) => ({ ...told, timed: duration_ms >= 0 }))).toEqual([
      { cell_id: 'f1', variant: 'hi', index: 0, total: 2, success: true, error: null, timed: true },
      { cell_id: 'f1', variant: 'lo', index: 1, total: 2, success: true, error: null, timed: true },
    ]);
    const f1 = await notebook.cell('f1');
    expect(f1).toMatchObject({
      status: 'ready',
      execution_method: 'fanout',
      console_stdout: '[variant=hi]\nof 12\n[variant=lo]\nof 11\n',
      fan_out: { group: 'm', variants: ['hi', 'lo'] },
    });
    expect(Object.keys(f1.artifact_uris)).toEqual(['sq@variant=hi', 'sq@variant=lo']);
    expect(f1.artifact_uris['sq@variant=hi']).toMatch(/_cell_f1_var_sq@variant=hi@v=1$/);
    expect(f1.display_outputs.map(({ variant, preview }) => [variant, preview])).toEqual([
      ['hi', 24],
      ['lo', 22],
    ]);
    const { body: dag } = await notebook.get<Dag>('/dag');
    expect(dag.edges.map((edge) => `${edge.from_cell_id}-${edge.to_cell_id} ${edge.variable}`)).toEqual([
      's0-va base',
      's0-vb base',
      'va-f1 score',
      'vb-f1 score',
      'va-c1 score',
      'vb-c1 score',
      'f1-c2 sq',
      'vb-c3 extra',
    ]);
    expect(dag.variable_producer).toEqual({
      base: 's0',
      score: 'sweep:m',
      extra: 'sweep:m',
      sq: 'fanout:m',
    });
    const again = await notebook.execute('f1');
    expect(again).toMatchObject({ cache_hit: true, execution_method: 'fanout', outputs: {} });
    expect(again.displays.map(({ variant }) => variant)).toEqual(['hi', 'lo']);
    await live.close();
    await notebook.close();

    const reopened = await openNotebook(server, notebook.path);
    expect(reopened.opened.cells.map(({ id, status }) => `${id} ${status}`)).toEqual(
      WORKED.map(({ id }) => `${id} ready`),
    );
    expect(reopened.opened.cells.find(({ id }) => id === 'f1')?.display_outputs.length).toBe(2);
    await reopened.close();
  });

  it('[VR-12] an edited member runs only its variant again; a failure names the variant and leaves the others unchanged', async () => {
    const notebook = await worked('edited', SWEEP);
    await notebook.execute('c2');
    const live = await connectLive(server.url, notebook.sid);
    await notebook.edit('va', '# @variant m lo\nscore = base + 5');
    const f1 = await notebook.execute('f1');
    expect(f1).toMatchObject({ cache_hit: false, execution_method: 'fanout' });
    // The console has the output of all variants; only variants that ran have previews.
    expect(f1.stdout).toBe('[variant=hi]\nof 12\n[variant=lo]\nof 15\n');
    const ran = Object.keys(f1.outputs).filter((name) => name !== '_');
    expect(ran.map((name) => name.split('@')[1])).toEqual(ran.map(() => 'variant=lo'));
    expect(ran).not.toEqual([]);
    expect(await shows(notebook, 'c2')).toEqual({ hi: 24, lo: 30 });

    await notebook.edit('va', '# @variant m lo\nscore = None');
    const failed = await notebook.execute('f1');
    expect(failed).toMatchObject({ status: 'error', execution_method: 'error' });
    expect(failed.error).toMatch(/^\[variant=lo\] TypeError/);
    const last = live.frames.findLast((frame) => frame.type === 'cell_variant_progress');
    expect(last?.payload).toMatchObject({ variant: 'lo', index: 1, total: 2, success: false });
    const reader = await notebook.execute('c2');
    expect(reader).toMatchObject({ status: 'error' });
    await live.close();
    await notebook.close();
  });

  it('[VR-16] choosing accepts either field alone, and refuses neither field and an unknown group', async () => {
    const notebook = await worked('chosen');
    const toml = () => readFile(join(notebook.path, 'notebook.toml'), 'utf8');
    expect(notebook.opened.variant_groups).toEqual([
      {
        group: 'm',
        active_name: 'lo',
        active_cell_id: 'va',
        mode: 'switch',
        members: [
          { cell_id: 'va', name: 'lo', is_active: true },
          { cell_id: 'vb', name: 'hi', is_active: false },
        ],
      },
    ]);
    const choice = await put(notebook, 'm', { active: 'hi' });
    expect(choice.status).toBe(200);
    expect(Object.keys(choice.body).sort()).toEqual(['cells', 'variant_groups']);
    expect(choice.body.variant_groups[0]).toMatchObject({ active_name: 'hi', active_cell_id: 'vb' });
    expect(choice.body.cells.find(({ id }) => id === 'va')).toMatchObject({
      variant_group: 'm',
      variant_name: 'lo',
      variant_active: false,
      upstream_ids: [],
      is_leaf: false,
    });
    expect(await toml()).toContain('active = "hi"');
    expect(await toml()).not.toContain('mode');
    expect(await shows(notebook, 'c1')).toBe(12);
    const inactive = await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/va/execute`);
    expect([inactive.status, JSON.stringify(inactive.body)]).toEqual([
      409,
      expect.stringContaining('is not active'),
    ]);
    expect((await put(notebook, 'm', { mode: 'sweep' })).body.variant_groups[0]?.mode).toBe('sweep');
    expect(await toml()).toContain('mode = "sweep"');
    expect((await put(notebook, 'm', { mode: 'switch', active: '' })).body.variant_groups[0]).toMatchObject({
      mode: 'switch',
      active_name: 'lo',
    });
    // A name that no member has is accepted: the first member is then active.
    expect((await put(notebook, 'm', { active: 'nobody' })).body.variant_groups[0]?.active_name).toBe('lo');
    for (const [group, body, status] of [
      ['m', {}, 400],
      ['m', { mode: 'both' }, 422],
      ['m', { active: 'no name' }, 422],
      ['none', { active: 'hi' }, 404],
    ] as const) {
      expect([(await put(notebook, group, body)).status, body]).toEqual([status, body]);
    }
    await notebook.close();
  });

  it('[VR-17] adding copies the active member after the last one; deleting it activates the first; undo restores it', async () => {
    const notebook = await worked('added');
    const base = `/v1/notebooks/${notebook.sid}`;
    await put(notebook, 'm', { active: 'hi' });
    const added = await rest<Groups & { new_variant_name: string; new_cell_id: string }>(
      server.url,
      'POST',
      `${base}/variant-groups/m/variants`,
    );
    expect(added.status).toBe(200);
    const { new_variant_name, new_cell_id, variant_groups, cells } = added.body;
    expect(new_variant_name).toBe('hi_copy');
    expect(variant_groups[0]).toMatchObject({ active_name: 'hi_copy', active_cell_id: new_cell_id });
    expect(cells.find(({ id }) => id === new_cell_id)).toMatchObject({
      order: 2.5,
      source: '# @variant m hi_copy\nscore = base + 2\nextra = 1',
      variant_active: true,
    });
    const deletion = await rest<Groups & { dag: Groups }>(
      server.url,
      'DELETE',
      `${base}/cells/${new_cell_id}`,
    );
    expect(deletion.body.variant_groups[0]).toMatchObject({ active_name: 'lo', active_cell_id: 'va' });
    expect(deletion.body.dag.variant_groups).toEqual(deletion.body.variant_groups);
    expect(await readFile(join(notebook.path, 'notebook.toml'), 'utf8')).toContain('active = "lo"');
    await rest(server.url, 'POST', `${base}/x/cells/${new_cell_id}/restore`);
    const { body } = await notebook.get<{ cells: Cell[] }>('/cells');
    expect(body.cells.find(({ id }) => id === new_cell_id)?.variant_active).toBe(true);
    for (const id of [new_cell_id, 'va', 'vb']) await rest(server.url, 'DELETE', `${base}/cells/${id}`);
    expect(await readFile(join(notebook.path, 'notebook.toml'), 'utf8')).not.toContain('variant_group');
    const none = await rest(server.url, 'POST', `${base}/variant-groups/m/variants`);
    expect(none.status).toBe(404);
    await notebook.close();
  });

  it('[VR-13] [VR-14] [VR-15] choosing and adding over the live protocol reach every socket', async () => {
    const notebook = await worked('live');
    const [one, other] = [
      await connectLive(server.url, notebook.sid),
      await connectLive(server.url, notebook.sid),
    ];
    one.send('variant_set_active', { group: 'm', name: 'hi' });
    for (const client of [one, other]) {
      const { payload } = await client.next('dag_update');
      expect(payload.variant_groups[0]?.active_name).toBe('hi');
      expect(payload.cells.find(({ id }) => id === 'va')?.variant_active).toBe(false);
      expect(payload.topological_order).not.toContain('va');
    }
    one.send('variant_add', { group: 'm' });
    const { payload: state } = await other.next('notebook_state');
    expect(state.variant_groups[0]?.active_name).toBe('hi_copy');
    expect(state.dag.variant_groups).toEqual(state.variant_groups);
    one.send('variant_add', { group: 'none' });
    expect((await one.next('error')).payload.error).toContain('none');
    await put(notebook, 'm', { mode: 'sweep' });
    const at = other.mark();
    one.send('variant_set_active', { group: 'm', name: 'lo' });
    one.send('notebook_sync', {});
    const answer = await one.next('notebook_state', {
      where: ({ variant_groups }) => variant_groups[0]?.mode === 'sweep',
    });
    expect(answer.payload.variant_groups[0]?.active_name).toBe('hi_copy');
    expect(other.frames.slice(at).filter(({ type }) => type === 'dag_update')).toEqual([]);
    await Promise.all([one.close(), other.close()]);
    await notebook.close();
  });

  it('[VR-4] a notebook with two variants of one name opens without a graph, and the error names them', async () => {
    const dir = await writeReadyNotebook(join(root, 'twice'), {
      cells: [
        { id: 'a', source: '# @variant m lo\nx = 1' },
        { id: 'b', source: '# @variant m lo\nx = 2' },
      ],
    });
    const notebook = await openNotebook(server, dir);
    const { body: dag } = await notebook.get<Dag>('/dag');
    expect(dag).toMatchObject({ edges: [], topological_order: [], error: expect.stringContaining('"lo"') });
    const refused = await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/a/execute`);
    expect(refused.status).toBe(409);
    await notebook.close();
  });
});
