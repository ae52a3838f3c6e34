/** Calls one MCP tool for an agent: checks the scope and the arguments, and makes the answer. */

import type * as z from 'zod';
import { ToolRefusal } from './mcpCaller.ts';
import type { Tool, ToolCall, ToolImage } from './tool.ts';
import { isList } from './tools.ts';

/** The answer to a tool's client. */
interface ToolAnswer {
  readonly [key: string]: unknown;
  readonly content: (
    | { readonly type: 'text'; readonly text: string }
    | ({ readonly type: 'image' } & ToolImage)
  )[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** The codes of refusals for which the client may try again: the notebook or the cell is busy with a run. */
const BUSY: ReadonlySet<string | null> = new Set(['notebook_busy', 'cell_busy']);

/** Checks the scope and the arguments, runs a tool, and makes its answer. Refusals are answers; bugs are thrown. */
export async function callTool(
  name: string,
  one: Tool,
  { call, given: argumentValues }: { readonly call: ToolCall; readonly given: unknown },
): Promise<ToolAnswer> {
  if (!call.caller.hasScope(one.scope)) return failure(`'${name}' requires the ${one.scope} scope`);
  const input = one.input.safeParse(argumentValues ?? {});
  if (!input.success) return failure(invalidMessage(name, input.error));
  try {
    if (one.scope !== 'notebook:read') refuseUntrusted(call, input.data);
    const { result, images = [] } = await one.run(call, input.data);
    const structuredContent = isList(one.output) ? { result } : (result as Record<string, unknown>); // an object, by its schema
    return {
      content: [
        { type: 'text', text: JSON.stringify(result) },
        ...images.map((image) => ({ type: 'image' as const, ...image })),
      ],
      structuredContent,
    };
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    const again = BUSY.has(error.code) ? ' Retry after the current run finishes.' : '';
    return failure(`${error.message}${again}`);
  }
}

/** Before a user trusts a folder, agents may only read. @throws ToolRefusal */
function refuseUntrusted(call: ToolCall, input: Readonly<Record<string, unknown>>): void {
  const { session_id: sid } = input;
  const why = typeof sid === 'string' ? call.session(sid).views.notebook.body().untrusted : undefined;
  if (why !== undefined) throw new ToolRefusal(why, 'NOTEBOOK_UNTRUSTED');
}

export function failure(text: string): ToolAnswer {
  return { content: [{ type: 'text', text }], isError: true };
}

function invalidMessage(name: string, { issues }: z.ZodError): string {
  const words = issues.map(({ path, message }) => {
    const where = path.map(String).join('.');
    return where === '' ? message : `${where}: ${message}`;
  });
  return `Invalid arguments for '${name}': ${words.join('; ')}`;
}
