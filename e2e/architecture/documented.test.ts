/**
 * Compares the contracts of routes, frames and shapes (src-shared/wire) with the documented ones, which are copied by
 * hand into documentedRoutes.ts and documentedShapes.ts.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as cell from '../../src-shared/wire/cell.ts';
import { testCase, testResult } from '../../src-shared/wire/cellTests.ts';
import * as graph from '../../src-shared/wire/dag.ts';
import * as environment from '../../src-shared/wire/environment.ts';
import { executionResult } from '../../src-shared/wire/execution.ts';
import { CLIENT_FRAMES } from '../../src-shared/wire/frames/client.ts';
import { SERVER_FRAMES } from '../../src-shared/wire/frames/server.ts';
import * as state from '../../src-shared/wire/notebookState.ts';
import { NOT_YET } from '../../src-shared/wire/notYet.ts';
import * as output from '../../src-shared/wire/output.ts';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import { columnSummary, loopIteration } from '../../src-shared/wire/routes/cells.ts';
import { schemaTable } from '../../src-shared/wire/routes/connections.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { environmentPayload, operationLog } from '../../src-shared/wire/routes/environment.ts';
import { discoveredNotebook } from '../../src-shared/wire/routes/notebooks.ts';
import { PUBLICATION_PAGES } from '../../src-shared/wire/routes/publications.ts';
import { jupyterReport, snapshotReport } from '../../src-shared/wire/routes/transfer.ts';
import { widget } from '../../src-shared/wire/widget.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { DOCUMENTED_ROUTES, GROUPS } from './documentedRoutes.ts';
import { CLIENT_PAYLOADS, SERVER_PAYLOADS, SHAPES } from './documentedShapes.ts';
import { EVERY_DOCUMENTED_ROUTE } from './everyDocumentedRoute.ts';

const CONTRACTS: Readonly<Record<keyof typeof SHAPES, z.ZodType>> = {
  cell: cell.cell,
  diagnostic: cell.diagnostic,
  mount: cell.mount,
  variantGroup: cell.variantGroup,
  annotations: cell.cellAnnotations,
  testResult,
  testCase,
  widget,
  executionResult,
  loopIteration,
  dag: graph.dag,
  linkedDag: graph.linkedDag,
  edge: graph.edge,
  columnSummary,
  schemaTable,
  notebookBody: state.notebookBody,
  workerSpec: state.workerSpec,
  runtimeConfig: state.runtimeConfig,
  environment: environment.environment,
  rEnvironment: environment.rEnvironment,
  environmentPayload,
  environmentJob: environment.environmentJob,
  dependency: environment.dependency,
  operationLog,
  output: output.output,
  outputPreview: output.outputPreview,
  mutationWarning: output.mutationWarning,
  jupyterReport,
  snapshotReport,
  discoveredNotebook,
};

/**
 * The fields of a documented shape, sorted: `key`, `key?` (optional), `key~` (may be null) or `key?~`. Extensions come
 * after a `|`, are optional unless marked `!`, and start with `+` in the result.
 */
function documented(text: string): readonly string[] {
  const [theirs = '', ours = ''] = text.split('|');
  const words = (part: string) => part.split(/\s+/).filter((word) => word !== '');
  const own = words(ours).map((word) =>
    word.startsWith('!') ? `+${word.slice(1)}` : `+${word.replace(/~?$/, '?$&')}`,
  );
  return [...words(theirs), ...own].map((word) => word.replace('~?', '?~')).toSorted();
}

type Json = z.core.JSONSchema.BaseSchema;

/** The fields of a contract in the same form; `theirs` has the documented keys, the others are extensions. */
function declared(schema: z.ZodType, theirs: readonly string[], io: 'input' | 'output'): readonly string[] {
  const json = objectOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  const known = new Set(
    theirs.filter((word) => !word.startsWith('+')).map((word) => word.replace(/[?~]+$/, '')),
  );
  return Object.entries(json.properties ?? {})
    .map(([key, value]) => {
      const optional = json.required?.includes(key) ? '' : '?';
      return `${known.has(key) ? '' : '+'}${key}${optional}${mayBeNull(value) ? '~' : ''}`;
    })
    .toSorted();
}

function objectOf(json: Json): Json {
  if (json.type === 'object') return json;
  const objectSchema = (json.anyOf ?? []).find((one) => typeof one === 'object' && one.type === 'object');
  return typeof objectSchema === 'object' ? objectSchema : json;
}

function mayBeNull(value: unknown): boolean {
  const { type, anyOf = [] } = value as { readonly type?: unknown; readonly anyOf?: readonly unknown[] }; // a JSON Schema
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || anyOf.some(mayBeNull);
}

function compare(schema: z.ZodType, text: string, io: 'input' | 'output' = 'output'): void {
  const fields = documented(text);
  expect(declared(schema, fields, io)).toEqual(fields);
}

describe('[RE-28] each shape has the documented fields', () => {
  it.each(Object.entries(SHAPES))('%s', (name, text) =>
    compare(CONTRACTS[name as keyof typeof SHAPES], text),
  );
});

const SCOPES: Readonly<Record<string, string>> = {
  r: 'notebook:read',
  w: 'notebook:write',
  x: 'notebook:execute',
  admin: 'admin:notebooks',
  workers: 'admin:notebook-workers',
  any: 'any',
  put: 'artifacts:write',
  pin: 'artifacts:pin',
  publish: 'artifacts:publish',
  approve: 'admin:registry',
  cache: 'admin:cache',
  owner: 'admin:*',
  // The signature is the credential (rest-core 2).
  signed: 'none',
};

describe('[LP-41] each frame has the documented fields', () => {
  it.each(Object.entries(SERVER_PAYLOADS))('server: %s', (type, text) =>
    compare(SERVER_FRAMES[type as keyof typeof SERVER_PAYLOADS].payload, text),
  );
  it.each(Object.entries(CLIENT_PAYLOADS))('client: %s', (type, [scope, text]) => {
    const contract = CLIENT_FRAMES[type as keyof typeof CLIENT_PAYLOADS];
    expect(contract.scope).toBe(SCOPES[scope]);
    compare(contract.payload, text, 'input');
  });

  it('other frames are extensions, sent only on request', () => {
    const further = Object.entries(SERVER_FRAMES).filter(
      ([type]) => !Object.hasOwn(SERVER_PAYLOADS, type) && type !== 'notebook_state',
    );
    expect(further.filter(([, frame]) => !('extension' in frame))).toEqual([]);
    const ours = Object.keys(CLIENT_FRAMES).filter((type) => !Object.hasOwn(CLIENT_PAYLOADS, type));
    expect(ours.toSorted()).toEqual([
      'auto_run',
      'inspect_complete',
      'inspect_interrupt',
      'run_queue_add',
      'run_queue_move',
      'run_queue_remove',
      'widget_message',
      'widget_open',
    ]);
  });
});

/** Routes whose bodies are MCP messages (`src-main/server/serveMcp.ts`), so they have no shapes here. */
const MCP_ROUTES = ['GET', 'POST', 'DELETE'].flatMap((method) => [`${method} /mcp`, `${method} /mcp/`]);

const withGroups = (text: string): string =>
  text.replaceAll(/\b[A-Z]{2,}\b/g, (name) => GROUPS[name] ?? name);
const addressOf = (route: string): string => route.replace(/ (?!\/v1)/, ' /v1/notebooks');
const contracts: readonly RouteContract[] = Object.values(ROUTES);
const contractOf = (address: string): RouteContract | undefined =>
  contracts.find(({ method, path }) => `${method} ${path}` === address);

describe('[RE-29] each documented route exists as documented', () => {
  it.each(Object.entries(DOCUMENTED_ROUTES))('%s', (route, [scope, takes, answer]) => {
    const contract = contractOf(addressOf(route));
    expect(contract?.scope).toBe(SCOPES[scope]);
    if (contract === undefined || answer === 'ANY') return;
    const [, where = '', fields = ''] = /^(body|query|form): (.*)$/s.exec(takes) ?? [];
    expect(Object.keys(contract).filter((key) => ['body', 'query', 'upload'].includes(key))).toEqual(
      where === '' ? [] : [where === 'form' ? 'upload' : where],
    );
    const input =
      where === 'body' ? contract.body : where === 'query' ? contract.query : contract.upload?.fields;
    if (input !== undefined) compare(input, fields, 'input');
    if (answer === 'BYTES') expect(contract.response).toBe('bytes');
    if (contract.response === 'bytes' || withGroups(answer) !== withGroups(answer).toLowerCase()) return;
    compare(contract.response, withGroups(answer));
  });

  it('every other route is an extension, below /x/', () => {
    const known = new Set(Object.keys(DOCUMENTED_ROUTES).map(addressOf));
    const further = contracts
      .map(({ method, path }) => `${method} ${path}`)
      .filter((address) => !known.has(address) && !/\/x\//.test(address));
    expect(further).toEqual(['GET /health']);
  });

  it('[RE-106] every documented route exists or is listed as missing, and nothing else is listed', () => {
    const every = new Set(EVERY_DOCUMENTED_ROUTE);
    const missing = new Set<string>(Object.values(NOT_YET).flat());
    const existing = Object.keys(DOCUMENTED_ROUTES).map(addressOf);
    const known = new Set([...existing, ...missing, ...PUBLICATION_PAGES, ...MCP_ROUTES, 'GET /health']);
    expect(EVERY_DOCUMENTED_ROUTE.length).toBe(every.size);
    expect([...every].filter((route) => !known.has(route))).toEqual([]);
    expect([...known].filter((route) => !every.has(route))).toEqual([]);
  });

  it('[RE-25] docs/status.md names exactly the routes that do not exist yet', () => {
    const page = readFileSync(join(PROJECT_ROOT, 'docs/status.md'), 'utf8');
    const missing = Object.values(NOT_YET).flat();
    expect(missing.filter((route) => !page.includes(`\`${route}\``))).toEqual([]);
    expect(missing.filter((route) => contractOf(route) !== undefined)).toEqual([]);
  });
});
