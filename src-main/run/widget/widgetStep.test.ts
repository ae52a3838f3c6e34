import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { openStore } from '../../artifacts/store.ts';
import type { StepOutcome } from '../step.ts';
import type { StepTools } from '../stepTools.ts';
import { plainKeys } from '../testing/testStep.ts';
import type { KeyedControl, WidgetRun } from './widgetRequest.ts';
import { widgetStep } from './widgetStep.ts';

let root = '';
let store: ArtifactStore;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'widget-step-'));
  store = await openStore(join(root, 'artifacts'));
});
afterAll(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const control = (name: string, text: string): KeyedControl => ({
  name,
  kind: 'slider',
  text,
  value: JSON.parse(text),
  key: `${name}=${text}`,
});

/** A widget cell of its own: its versions are those of its earlier runs. */
function widgetCell(id: string) {
  const stored: Record<string, ArtifactRow[]> = {};
  return async (controls: readonly KeyedControl[], more: Partial<WidgetRun> = {}): Promise<StepOutcome> => {
    const request = {
      ...plainKeys({ source: 'a = slider(0, 1)' }),
      language: 'widget',
      cellId: cellId(id),
      consumed: controls.map(({ name }) => name),
      stored,
      widget: { controls, problem: null, reuses: true, ...more },
    } as const;
    const options = { signal: new AbortController().signal, onConsole: () => undefined, runId: 'r' };
    const outcome = await widgetStep({ store } as StepTools, request, options);
    const rows = outcome.kind === 'hit' ? outcome.promoted : outcome.kind === 'ran' ? outcome.published : [];
    for (const row of rows) stored[row.params['variable_name'] ?? ''] = [...store.versions(row.id)];
    return outcome;
  };
}

const text = async (row: ArtifactRow | undefined): Promise<string> => {
  const readable = row === undefined ? null : await store.readable(row);
  return readable?.kind === 'ok' ? readFile(readable.path, 'utf8') : 'nothing';
};

describe('[WG-9] a run of a widget', () => {
  it('stores each control under its own key, and only once while it is unchanged', async () => {
    const run = widgetCell('a');
    const first = await run([control('a', '1.0'), control('b', '2')]);
    if (first.kind !== 'ran') throw new Error(first.kind);
    expect(first.published.map((row) => [row.provenanceHash, row.version])).toEqual([
      ['a=1.0', 1],
      ['b=2', 1],
    ]);
    expect(await text(first.published[0])).toBe('1.0');
    expect(first.outputs).toEqual({
      a: { content_type: 'json/object', bytes: 3, preview: 1 },
      b: { content_type: 'json/object', bytes: 1, preview: 2 },
    });
    expect(await run([control('a', '1.0'), control('b', '2')])).toMatchObject({ kind: 'hit', promoted: [] });
    const moved = await run([control('a', '3.0'), control('b', '2')]);
    expect(moved).toMatchObject({ kind: 'ran', published: [{ provenanceHash: 'a=3.0', version: 2 }] });
  });

  it('makes an older version of the same value current again: a hit', async () => {
    const run = widgetCell('b');
    await run([control('a', '1')]);
    await run([control('a', '2')]);
    expect(await run([control('a', '1')])).toMatchObject({
      kind: 'hit',
      promoted: [{ provenanceHash: 'a=1', version: 3 }],
    });
  });

  it('writes a value with missing bytes again', async () => {
    const run = widgetCell('c');
    const first = await run([control('a', '"gone"')]);
    await run([control('a', '"other"')]);
    const row = first.kind === 'ran' ? first.published[0] : undefined;
    const readable = row === undefined ? null : await store.readable(row);
    if (readable?.kind !== 'ok') throw new Error('not stored');
    await rm(readable.path);
    const again = await run([control('a', '"gone"')]);
    expect(again.kind).toBe('ran');
    expect(await text(again.kind === 'ran' ? again.published[0] : undefined)).toBe('"gone"');
  });

  it('stores everything again on request', async () => {
    const run = widgetCell('d');
    await run([control('a', '1')]);
    expect(await run([control('a', '1')], { reuses: false })).toMatchObject({
      kind: 'ran',
      method: 'widget',
    });
  });

  it('[WG-5] fails with invalid declarations, and stores nothing', async () => {
    const failed = await widgetCell('e')([control('a', '1')], { problem: 'Line 1: no' });
    expect(failed).toMatchObject({ kind: 'failed', error: 'Line 1: no' });
    expect(store.current('nb_n_cell_e_')).toEqual([]);
  });
});
