/** The resources of the MCP endpoint: open notebooks that a user can attach to a conversation with an agent. */

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { RequestExtra } from './extra.ts';
import { type McpCaller, ToolRefusal } from './mcpCaller.ts';
import { readTablePage, tablePageInput } from './tablePage.ts';
import { readCell, shownCell, type ToolCall } from './tool.ts';

/** MCP's error code for a missing resource. */
const RESOURCE_NOT_FOUND = -32002;
const JSON_TYPE = 'application/json';

const TEMPLATES = [
  {
    name: 'notebook',
    title: 'Notebook',
    uriTemplate: 'svc://notebook/{session_id}',
    description: 'All cells of an open notebook, with outputs',
    mimeType: JSON_TYPE,
  },
  {
    name: 'cell',
    title: 'Cell',
    uriTemplate: 'svc://notebook/{session_id}/cell/{cell_id}',
    description: 'One cell with its outputs',
    mimeType: JSON_TYPE,
  },
  {
    name: 'table',
    title: 'Table page',
    uriTemplate: 'svc://notebook/{session_id}/cell/{cell_id}/table/{variable}{?offset,limit}',
    description: 'Rows of a table that a cell has stored',
    mimeType: JSON_TYPE,
  },
] as const;

/** The URI of a notebook as a resource. */
function notebookUri(sid: string): string {
  return `svc://notebook/${encodeURIComponent(sid)}`;
}

/** Adds the resources to a client's MCP server. Reading them requires `notebook:read`. */
export function addResources(server: Server, callOf: (extra: RequestExtra) => ToolCall): void {
  server.setRequestHandler(ListResourcesRequestSchema, async (_request, extra) => {
    const { caller } = callOf(extra);
    requireRead(caller);
    const { sessions } = await caller.call('listSessions', {});
    return {
      resources: sessions.map(({ session_id, name, path }) => ({
        uri: notebookUri(session_id),
        name,
        title: name,
        description: path,
        mimeType: JSON_TYPE,
      })),
    };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    const call = callOf(extra);
    requireRead(call.caller);
    try {
      return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(await read(call, uri)) }] };
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      throw new McpError(
        error.code === 'not_found' ? RESOURCE_NOT_FOUND : ErrorCode.InvalidParams,
        error.message,
      );
    }
  });
}

function requireRead(caller: McpCaller): void {
  if (caller.hasScope('notebook:read')) return;
  throw new McpError(ErrorCode.InvalidRequest, 'Resources require the notebook:read scope');
}

/** Reads the resource at a URI. @throws ToolRefusal */
async function read(call: ToolCall, uri: string): Promise<unknown> {
  const url = URL.parse(uri);
  const steps = url?.pathname.split('/').map(decoded) ?? [];
  const [, session_id, cellWord, cell_id, tableWord, variable, ...more] = steps;
  if (url?.protocol !== 'svc:' || url.host !== 'notebook' || !session_id || more.length > 0)
    throw unknown(uri);
  if (cellWord === undefined) {
    const { cells } = await call.caller.call('listCells', { params: { sid: session_id } });
    return { cells: cells.map((cell) => shownCell(call, session_id, cell)) };
  }
  if (cellWord !== 'cell' || !cell_id) throw unknown(uri);
  if (tableWord === undefined) return shownCell(call, session_id, await readCell(call, session_id, cell_id));
  if (tableWord !== 'table' || !variable) throw unknown(uri);
  const number = (name: string) =>
    url.searchParams.has(name) ? { [name]: Number(url.searchParams.get(name)) } : {};
  const input = tablePageInput.safeParse({
    session_id,
    cell_id,
    variable,
    ...number('offset'),
    ...number('limit'),
  });
  if (!input.success) throw new ToolRefusal('offset must be 0 or more, and limit 1 to 500.');
  return readTablePage(call, input.data);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch (_notEncoded) {
    return step;
  }
}

function unknown(uri: string): ToolRefusal {
  return new ToolRefusal(
    `There is no resource ${uri}. Templates: ${TEMPLATES.map((one) => one.uriTemplate).join(', ')}`,
    'not_found',
  );
}
