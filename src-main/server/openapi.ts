/** Generates the OpenAPI document of all routes from their contracts. */

import * as z from 'zod';
import { cell, diagnostic, mount, variantGroup } from '../../src-shared/wire/cell.ts';
import { dag, edge } from '../../src-shared/wire/dag.ts';
import { dependency, environment, environmentJob, rEnvironment } from '../../src-shared/wire/environment.ts';
import { executionResult } from '../../src-shared/wire/execution.ts';
import { runtimeConfig, sessionState } from '../../src-shared/wire/notebookState.ts';
import { output, outputPreview } from '../../src-shared/wire/output.ts';
import { ROUTES, type RouteName } from '../../src-shared/wire/routes/all.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';

type JsonObject = Record<string, unknown>;

/** Shapes of several answers that have a name in the document. */
const NAMED = {
  Cell: cell,
  Dag: dag,
  Dependency: dependency,
  Diagnostic: diagnostic,
  Edge: edge,
  Environment: environment,
  EnvironmentJob: environmentJob,
  ExecutionResult: executionResult,
  Mount: mount,
  NotebookState: sessionState,
  Output: output,
  OutputPreview: outputPreview,
  REnvironment: rEnvironment,
  RuntimeConfig: runtimeConfig,
  VariantGroup: variantGroup,
} satisfies Record<string, z.ZodType>;

const ERROR = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      description: 'A sentence, or an object with `message`, usually a `code`, and details.',
      oneOf: [
        { type: 'string' },
        {
          type: 'object',
          required: ['message'],
          properties: { code: { type: 'string' }, message: { type: 'string' } },
        },
      ],
    },
  },
};

/** A request refused because too many are running; builds say more. */
const REFUSED_ADMISSION = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, tier: { type: 'string' }, message: { type: 'string' } },
};

const VALIDATION_ERROR = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
          msg: { type: 'string' },
          type: { type: 'string' },
          input: {},
          ctx: { type: 'object' },
        },
      },
    },
  },
};

/** The OpenAPI 3.1 document of every route, derived from the contracts. Pure. */
export function openapiDocument({ version, basePath }: { version: string; basePath: string }): JsonObject {
  const schemas = componentSchemas();
  const paths: Record<string, JsonObject> = {};
  for (const name of routeNames()) {
    const contract: RouteContract = ROUTES[name];
    const at = paths[contract.path] ?? {};
    at[contract.method.toLowerCase()] = operation(name, contract);
    paths[contract.path] = at;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cellar', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    ...(basePath === '' ? {} : { servers: [{ url: basePath }] }),
    paths,
    components: { schemas: { ...schemas, Error: ERROR, ValidationError: VALIDATION_ERROR } },
  };
}

function routeNames(): readonly RouteName[] {
  return Object.keys(ROUTES) as RouteName[]; // the keys of a literal
}

const bodyName = (route: string) => `${route.slice(0, 1).toUpperCase()}${route.slice(1)}Body`;
const answerName = (route: string) => `${route.slice(0, 1).toUpperCase()}${route.slice(1)}Answer`;

/** Request bodies are described as sent (defaults optional), answers as returned. */
function componentSchemas(): JsonObject {
  const answers = z.registry<{ id: string }>();
  const bodies = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) answers.add(schema, { id });
  for (const name of routeNames()) {
    const contract: RouteContract = ROUTES[name];
    if (contract.response !== 'bytes' && !answers.has(contract.response)) {
      answers.add(contract.response, { id: answerName(name) });
    }
    if (contract.body !== undefined) bodies.add(contract.body, { id: bodyName(name) });
  }
  return { ...schemasOf(bodies, 'input'), ...schemasOf(answers, 'output') };
}

function schemasOf(registry: z.core.$ZodRegistry<{ id: string }>, io: 'input' | 'output'): JsonObject {
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => withoutPrefixItems(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _uri, ...schema }]) => [id, schema]),
  );
}

/** Describes a tuple as an array of its kinds of items: common tools for OpenAPI 3.1 cannot read `prefixItems`. */
function withoutPrefixItems(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.prefixItems === undefined) return;
  schema.items = { anyOf: schema.prefixItems as z.core.JSONSchema.BaseSchema[] }; // made by zod, without `true` and `false`
  delete schema.prefixItems;
}

/** Routes with the same answer share one schema, named after the first. */
function answerId(name: RouteName, response: z.ZodType): string {
  const named = Object.entries(NAMED).find(([, schema]) => schema === response)?.[0];
  const first = routeNames().find((other) => ROUTES[other].response === response);
  return named ?? answerName(first ?? name);
}

function operation(name: RouteName, contract: RouteContract): JsonObject {
  const responses: Record<string, JsonObject> = {};
  for (const status of contract.statuses ?? [200]) responses[status] = success(name, contract);
  for (const status of new Set([...contract.errors, ...pipelineErrors(contract)])) {
    responses[status] = { description: STATUS_WORDS[status], content: errorContent(status, contract) };
  }
  return {
    operationId: name,
    summary: contract.summary,
    'x-scope': contract.scope,
    ...(contract.alsoScope === undefined ? {} : { 'x-also-scope': contract.alsoScope }),
    ...(contract.personalOnly ? { 'x-personal-only': true } : {}),
    parameters: [
      ...parameters(contract.params, { where: 'path' }),
      ...parameters(contract.query, { where: 'query' }),
    ],
    ...(contract.body === undefined
      ? {}
      : {
          requestBody: {
            required: !contract.body.safeParse(undefined).success,
            content: json(ref(bodyName(name))),
          },
        }),
    ...(contract.streams?.body === undefined ? {} : { requestBody: streamedBody(contract.streams.body) }),
    ...(contract.upload === undefined ? {} : { requestBody: formBody(contract.upload.fields) }),
    responses,
  };
}

function streamedBody(body: string | z.ZodType): JsonObject {
  if (typeof body === 'string') return { required: true, content: { [body]: {} } };
  const { $schema: _dialect, ...schema } = z.toJSONSchema(body, { io: 'input' });
  return { required: true, content: json(schema) };
}

/** A form with one file and a few text fields. */
function formBody(fields: z.ZodObject): JsonObject {
  const { properties = {} } = z.toJSONSchema(fields, { io: 'input' });
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const schema = { type: 'object', required: ['file'], properties: { file, ...properties } };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}
/** The statuses of routes, and of the steps before them. */
type DocumentedStatus = RouteContract['errors'][number] | 414 | 415 | 431;

/** Statuses that the steps before a handler may answer. */
function pipelineErrors({
  method,
  path,
  scope,
  params,
  query,
  body,
  streams,
}: RouteContract): readonly DocumentedStatus[] {
  if (!path.startsWith('/v1/')) return [];
  const isRead = params !== undefined || query !== undefined || body !== undefined;
  const statuses = streams === undefined ? ([422] as const) : [];
  const forms = isRead ? ([400, 414, ...statuses, 431] as const) : [];
  const tooMuch = body === undefined ? [] : ([413, 415] as const);
  const drains = scope === 'notebook:execute' ? ([503] as const) : [];
  return [...(method === 'GET' ? [] : ([403] as const)), 429, ...forms, ...tooMuch, ...drains];
}

const STATUS_WORDS: Readonly<Record<DocumentedStatus, string>> = {
  307: 'On another server',
  400: 'Malformed request',
  401: 'Missing or wrong credential',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict with the current state',
  413: 'Too large',
  414: 'An address too long',
  415: 'A compressed body, which is not supported',
  422: 'The request does not match its contract',
  429: 'Too many requests',
  431: 'Headers, or an address, too long',
  500: 'Server fault',
  502: 'The AI provider failed, or the shared store refused or did not answer',
  503: 'Shutting down, or a service it needs is not available',
  504: 'Planning, or the AI provider, took too long',
};

function errorContent(status: DocumentedStatus, { admission }: RouteContract): JsonObject {
  if (status === 429) {
    const limited = { 'text/plain': { schema: { type: 'string' } } };
    return admission === undefined ? limited : { ...limited, ...json(REFUSED_ADMISSION) };
  }
  return json(ref(status === 422 ? 'ValidationError' : 'Error'));
}

function success(
  name: RouteName,
  { response, media = ['application/octet-stream'] }: RouteContract,
): JsonObject {
  if (response === 'bytes') {
    return { description: 'The bytes', content: Object.fromEntries(media.map((type) => [type, {}])) };
  }
  return { description: 'Success', content: json(ref(answerId(name, response))) };
}

function parameters(schema: z.ZodObject | undefined, { where }: { where: 'path' | 'query' }): JsonObject[] {
  if (schema === undefined) return [];
  // Coerced numbers are sent as text; their schema is that of the resulting value.
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output' });
  const { required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (required.includes(name) && !hasDefault(property)),
    schema: property,
  }));
}

function hasDefault(property: unknown): boolean {
  return typeof property === 'object' && property !== null && 'default' in property;
}

function ref(id: string): JsonObject {
  return { $ref: `#/components/schemas/${id}` };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}
