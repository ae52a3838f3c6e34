import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LineageMap, MapQuery } from './lineageMap.ts';
import { openRegistry, type Registry } from './registry.ts';
import type { Party, VersionRef } from './versionRow.ts';

const EVERYBODY: Party = { tenant: '', principal: null, isAdmin: true };
const PARTIES = { a: partyOf('a'), b: partyOf('b') };

function partyOf(tenant: string): Party {
  return { tenant, principal: null, isAdmin: false };
}

let dir = '';
let registry: Registry;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cellar-map-'));
  registry = await openRegistry({ dir, protectedAliases: [], zombieSeconds: 60 });
  // raw → clean → { model, report }; report also reads a table and a file; private belongs to another tenant.
  await stored('raw');
  await stored('clean', ['raw'], { cell_id: 'tidy', variable_name: 'clean' });
  await stored('nb_sales_cell_fit_var_model', ['clean'], { cell_id: 'fit', variable_name: 'model' });
  await stored('report', ['clean'], {}, ['file:///lake#ns.t', 'https://example.org/x.csv']);
  await stored('private', ['clean'], {}, [], PARTIES.b);
  registry.names.set('team/clean', { id: 'clean', version: 1 }, EVERYBODY);
  for (let at = 0; at < 30; at += 1) await stored(`copy${at}`, ['raw']);
});
afterAll(async () => {
  registry.close();
  await rm(dir, { recursive: true, force: true });
});

async function stored(
  id: string,
  inputs: readonly string[] = [],
  params: Readonly<Record<string, string>> = {},
  others: readonly string[] = [],
  party: Party = EVERYBODY,
): Promise<void> {
  const artifacts = inputs.map((input) => [`svc://artifact/${input}@v=1`, `${input}@v=1`]);
  const blob = await registry.receiveJson([id]);
  await registry.importVersion(
    {
      id,
      version: 1,
      provenanceHash: Buffer.from(id).toString('hex').padEnd(64, '0'),
      createdAt: 1,
      state: 'ready',
      remap: false,
      schemaJson: null,
      rowCount: null,
      byteSize: null,
      principal: null,
      contentSha256: null,
      contentType: null,
      blob,
      transformSpec: { executor: 'x@v1', params },
      inputVersions: Object.fromEntries([...artifacts, ...others.map((uri) => [uri, 's1'])]),
    },
    party,
  );
}

const QUERY: MapQuery = { up: 10, down: 10, limit: 100 };
const map = (id: string, query: Partial<MapQuery> = {}, party: Party = EVERYBODY): LineageMap =>
  registry.lineageMap({ id, version: 1 } satisfies VersionRef, { ...QUERY, ...query }, party);
const short = (uri: string): string => uri.replace('svc://artifact/', '').replace('@v=1', '');
const MODEL = 'nb_sales_cell_fit_var_model';

interface Row {
  readonly of: string;
  readonly query?: Partial<MapQuery>;
  readonly party?: Party;
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
}

const ROWS: Readonly<Record<string, Row>> = {
  'inputs only': {
    of: 'report',
    query: { down: 0 },
    nodes: ['report', 'clean', 'file:///lake#ns.t', 'https://example.org/x.csv', 'raw'],
    edges: [
      'clean → report',
      'file:///lake#ns.t → report',
      'https://example.org/x.csv → report',
      'raw → clean',
    ],
  },
  'one level each way': {
    of: 'clean',
    query: { up: 1, down: 1 },
    nodes: ['clean', 'raw', MODEL, 'private', 'report'],
    edges: [`clean → ${MODEL}`, 'clean → private', 'clean → report', 'raw → clean'],
  },
  'no level': { of: 'clean', query: { up: 0, down: 0 }, nodes: ['clean'], edges: [] },
  'without the dependents of another tenant': {
    of: 'clean',
    query: { up: 0 },
    party: PARTIES.a,
    nodes: ['clean', MODEL, 'report'],
    edges: [`clean → ${MODEL}`, 'clean → report'],
  },
};

it.each(Object.entries(ROWS))('[RG-30] the graph around a version: %s', (_what, row) => {
  const { nodes, edges, isCut } = map(row.of, row.query, row.party);
  expect(nodes.map(({ uri }) => short(uri)).sort()).toEqual([...row.nodes].sort());
  expect(edges.map(({ from, to }) => `${short(from)} → ${short(to)}`).sort()).toEqual([...row.edges].sort());
  expect(isCut).toBe(false);
});

it('[RG-30] each node has its facts, and the number of inputs and dependents that the client may see', () => {
  const facts = Object.fromEntries(
    map('clean', { up: 1, down: 1 }).nodes.map((node) => [short(node.uri), node]),
  );
  expect(facts['clean']).toMatchObject({
    inputs: 1,
    dependents: 3,
    version: { name: 'team/clean', cellId: 'tidy' },
  });
  expect(facts['raw']).toMatchObject({ inputs: 0, dependents: 31 });
  expect(facts[MODEL]?.version).toMatchObject({ notebookId: 'sales', cellId: 'fit', variable: 'model' });
  const [clean] = map('clean', { up: 0, down: 0 }, PARTIES.a).nodes;
  expect(clean?.dependents).toBe(2);
});

it('[RG-30] a graph with too many nodes is truncated and marked as such', () => {
  const cut = map('raw', { limit: 10 });
  expect([cut.nodes.length, cut.isCut]).toEqual([10, true]);
  const uris = new Set(cut.nodes.map(({ uri }) => uri));
  expect(cut.edges.filter(({ from, to }) => !uris.has(from) || !uris.has(to))).toEqual([]);
});

it('[RG-30] inputs of another tenant and deleted inputs are shown by address only', async () => {
  await stored('reader', ['private', 'gone'], {}, [], PARTIES.a);
  const { nodes } = map('reader', {}, PARTIES.a);
  expect(nodes.map(({ uri, version }) => [short(uri), version === null])).toEqual([
    ['reader', false],
    ['gone', true],
    ['private', true],
  ]);
});

it('[RG-30] layers that all read each other are walked once each', async () => {
  for (let at = 0; at < 60; at += 1) {
    const layer = at - (at % 2) - 2;
    await stored(`layer${at}`, at < 2 ? [] : [`layer${layer}`, `layer${layer + 1}`]);
  }
  const { nodes, edges } = map('layer59', { up: 100, down: 0 });
  expect([nodes.length, edges.length]).toEqual([59, 58 * 2 - 2]);
});

it('[RG-32] a version names who keeps it, since when, and why', async () => {
  await stored('held');
  await stored('user', ['held']);
  const ref = { id: 'held', version: 1 };
  const ann = { ...EVERYBODY, principal: 'ann' };
  registry.names.set('team/held', ref, ann);
  registry.names.setAlias({ name: 'team/held', alias: 'best', ref }, ann);
  registry.pins.add(ref, 'for the paper', ann);
  registry.publications.publish(ref, { title: 'Held', authors: [], externalIds: [] }, ann);
  const holders = registry.holds(ref, EVERYBODY).map(({ kind, what, by }) => ({ kind, what, by }));
  expect(holders).toEqual([
    { kind: 'named', what: 'team/held', by: 'ann' },
    { kind: 'alias', what: 'team/held@best', by: 'ann' },
    { kind: 'published', what: 'Held', by: 'ann' },
    { kind: 'pinned', what: 'for the paper', by: 'ann' },
    { kind: 'input', what: 'user@v=1', by: null },
    { kind: 'latest', what: null, by: null },
  ]);
});
