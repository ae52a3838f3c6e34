/** Calls that routes must refuse, with the status of the refusal, for the tests of all routes (`routes.test.ts`). */

import type { RouteName } from '../../src-shared/wire/routes/all.ts';

/** The arguments of a call of a route. */
export interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: FormData;
}

/** What calls refer to: a folder of notebooks, and the URIs of a display and of a stored table. */
export interface World {
  readonly root: string;
  readonly tableUri: string;
  readonly frameUri: string;
}

/** Calls that a route refuses, with the status of the refusal. */
export const REFUSED: readonly {
  readonly name: string;
  readonly route: RouteName;
  readonly call: (world: World) => Call;
  readonly status: number;
}[] = [
  {
    name: 'an unknown mode',
    route: 'executeCell',
    call: () => ({ query: { mode: 'sideways' } }),
    status: 400,
  },
  {
    name: 'an unknown anchor',
    route: 'addCell',
    call: () => ({ body: { after_cell_id: 'nobody01' } }),
    status: 400,
  },
  {
    name: 'a name with a slash',
    route: 'createNotebook',
    call: ({ root }) => ({ body: { parent_path: root, name: 'a/b' } }),
    status: 400,
  },
  {
    name: 'a Python that is not offered',
    route: 'createNotebook',
    call: ({ root }) => ({ body: { parent_path: root, name: 'old', python_version: '2.7' } }),
    status: 400,
  },
  {
    name: 'a parent outside the roots',
    route: 'createNotebook',
    call: () => ({ body: { parent_path: '/etc', name: 'x' } }),
    status: 400,
  },
  {
    name: 'a taken name',
    route: 'createNotebook',
    call: ({ root }) => ({ body: { parent_path: root, name: 'contract' } }),
    status: 409,
  },
  {
    name: 'a mount whose name is no identifier',
    route: 'setMounts',
    call: () => ({ body: { mounts: [{ name: '1x', uri: 'file:///d' }] } }),
    status: 422,
  },
  {
    name: 'two mounts of one name',
    route: 'setMounts',
    call: () => ({
      body: {
        mounts: [
          { name: 'x', uri: 'a' },
          { name: 'x', uri: 'b' },
        ],
      },
    }),
    status: 400,
  },
  {
    name: 'an option that is null',
    route: 'setMounts',
    call: () => ({ body: { mounts: [{ name: 'x', uri: 's3://b', options: { anon: { deep: null } } }] } }),
    status: 400,
  },
  { name: 'an empty name', route: 'renameNotebook', call: () => ({ body: { name: '   ' } }), status: 422 },
  { name: 'a malformed uri', route: 'cellData', call: () => ({ query: { artifact_uri: 'x' } }), status: 400 },
  {
    name: 'an unknown artifact',
    route: 'cellData',
    call: () => ({ query: { artifact_uri: 'svc://artifact/nb_x@v=1' } }),
    status: 404,
  },
  {
    name: 'filters that are no list',
    route: 'cellData',
    call: ({ tableUri }) => ({ query: { artifact_uri: tableUri, filters: '{}' } }),
    status: 400,
  },
  {
    name: 'a value that is no table',
    route: 'cellExport',
    call: ({ tableUri }) => ({ query: { artifact_uri: tableUri, fmt: 'csv' } }),
    status: 400,
  },
  {
    name: 'an unknown format',
    route: 'cellExport',
    call: ({ frameUri }) => ({ query: { artifact_uri: frameUri, fmt: 'xlsx' } }),
    status: 400,
  },
  {
    name: 'an unknown artifact',
    route: 'cellExport',
    call: () => ({ query: { artifact_uri: 'svc://artifact/nb_x@v=1', fmt: 'csv' } }),
    status: 404,
  },
  {
    name: 'filters that are no list',
    route: 'cellExport',
    call: ({ frameUri }) => ({ query: { artifact_uri: frameUri, fmt: 'csv', filters: '1' } }),
    status: 400,
  },
  {
    name: 'a malformed uri',
    route: 'cellSummary',
    call: () => ({ query: { artifact_uri: 'x' } }),
    status: 400,
  },
  {
    name: 'a malformed uri',
    route: 'cellDistribution',
    call: () => ({ query: { artifact_uri: 'x' } }),
    status: 400,
  },
  {
    name: 'an unknown artifact',
    route: 'cellDistribution',
    call: () => ({ query: { artifact_uri: 'svc://artifact/nb_x@v=1' } }),
    status: 404,
  },
  {
    name: 'filters that are no list',
    route: 'cellDistribution',
    call: ({ frameUri }) => ({ query: { artifact_uri: frameUri, filters: '1' } }),
    status: 400,
  },
  {
    name: 'a sort that is no list',
    route: 'cellData',
    call: ({ frameUri }) => ({ query: { artifact_uri: frameUri, sort: '{}' } }),
    status: 400,
  },
  {
    name: 'a pattern that is no regular expression',
    route: 'cellData',
    call: ({ frameUri }) => ({
      query: { artifact_uri: frameUri, filters: JSON.stringify([{ col: 'i8', op: 'regex', value: '(' }]) },
    }),
    status: 400,
  },
  {
    name: 'filters that are nested too deeply',
    route: 'cellData',
    call: ({ frameUri }) => ({
      query: { artifact_uri: frameUri, filters: `${'[{"any":'.repeat(10)}[]${'}]'.repeat(10)}` },
    }),
    status: 400,
  },
  {
    name: 'a malformed uri',
    route: 'cellColumn',
    call: () => ({ query: { artifact_uri: 'x', column: 'a' } }),
    status: 400,
  },
  {
    name: 'an unknown artifact',
    route: 'cellColumn',
    call: () => ({ query: { artifact_uri: 'svc://artifact/nb_x@v=1', column: 'a' } }),
    status: 404,
  },
  {
    name: 'an unknown column',
    route: 'cellColumn',
    call: ({ frameUri }) => ({ query: { artifact_uri: frameUri, column: 'not there' } }),
    status: 400,
  },
  {
    name: 'an unknown artifact',
    route: 'cellGroups',
    call: () => ({ query: { artifact_uri: 'svc://artifact/nb_x@v=1', by: '[]' } }),
    status: 404,
  },
  {
    name: 'group columns that are no list',
    route: 'cellGroups',
    call: ({ frameUri }) => ({ query: { artifact_uri: frameUri, by: 'a' } }),
    status: 400,
  },
  {
    name: 'an unknown aggregate',
    route: 'cellGroups',
    call: ({ frameUri }) => ({
      query: { artifact_uri: frameUri, by: '[]', measures: '[{"col":"a","agg":"mode"}]' },
    }),
    status: 400,
  },
  {
    name: 'an unknown output',
    route: 'outputBlob',
    call: () => ({ params: { index: '7' } }),
    status: 404,
  },
  {
    name: 'two workers of one name',
    route: 'setServerWorkers',
    call: () => ({ body: { workers: [{ name: 'twin' }, { name: 'twin' }] } }),
    status: 400,
  },
  {
    name: 'a worker without an address',
    route: 'addServerWorker',
    call: () => ({ body: { name: 'nowhere', backend: 'executor' } }),
    status: 400,
  },
  {
    name: 'the built-in worker',
    route: 'addServerWorker',
    call: () => ({ body: { name: 'local' } }),
    status: 422,
  },
  {
    name: 'a name with a slash',
    route: 'addServerWorker',
    call: () => ({ body: { name: 'a/b' } }),
    status: 422,
  },
  ...(['changeServerWorker', 'switchServerWorker', 'removeServerWorker', 'askServerWorker'] as const).map(
    (route) => ({
      name: 'an undefined worker',
      route,
      call: () => ({ params: { name: 'nobody' }, body: { name: 'nobody', enabled: true } }),
      status: 404,
    }),
  ),
];
