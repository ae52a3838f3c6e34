/** The shape of an MCP tool and what every tool gets when it runs. */

import * as z from 'zod';
import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { CellView } from '../../src-shared/wire/cellView.ts';
import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';
import type { Scope } from '../../src-shared/wire/scopes.ts';
import { cellViewOf } from '../../src-shared/wire/toCellView.ts';
import type { RegistryService } from '../registry/registryService.ts';
import type { Session } from '../session/api.ts';
import { type McpCaller, ToolRefusal } from './mcpCaller.ts';

/** One call of a tool by a client, with what the tool needs. */
export interface ToolCall {
  readonly caller: McpCaller;
  /** The name of the client's program, as it reported it. */
  readonly client: string;
  /**
   * The open notebook with an id.
   * @throws ToolRefusal
   */
  readonly session: (sid: string) => Session;
  /** The artifact store of the server. */
  readonly registry: RegistryService;
  readonly evaluate: Evaluate;
  /** The sources of cells that this client has read, by session and cell. */
  readonly seen: SeenSources;
  /** Logs a problem that must not fail the call. */
  readonly warn: (error: unknown, what: string) => void;
}

/**
 * Evaluates an expression in the console of a cell; opens one temporarily if none is open. Failures are part
 * of the result.
 */
export type Evaluate = (
  session: Session,
  evaluation: { readonly cellId: CellId; readonly expression: string; readonly identity: string },
) => Promise<ServerPayload<'inspect_result'>>;

/** An image for models with image input. */
export interface ToolImage {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ToolResult<T> {
  readonly result: T;
  readonly images?: readonly ToolImage[];
}

/** One MCP tool (docs/spec/mcp.md, 2). `list`: the result is a list, sent in the field `result`. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  readonly scope: Scope;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** Whether it can delete or replace something. Tools with the scope `notebook:read` never do. */
  readonly destructive?: true;
  run(call: ToolCall, input: z.output<I>): Promise<ToolResult<z.input<O>>>;
}

/** Preserves the types of a tool's schemas for its `run`. */
export function defineTool<I extends z.ZodObject, O extends z.ZodType>(one: Tool<I, O>): Tool {
  return one as unknown as Tool; // `run` gets the output of `input`
}

export const sid = z.string().describe('Id of the open notebook, from list_notebooks.');
export const cellId = z.string().describe('Id of the cell.');
export const author = z.string().max(128).nullish().describe('Name to show as the author of the change.');

/** The sources of cells that one client has read. A newer text of a user is not overwritten unseen. */
export class SeenSources {
  readonly #texts = new Map<string, string>();

  note(session: string, cell: string, source: string): void {
    this.#texts.set(`${session} ${cell}`, source);
  }

  of(session: string, cell: string): string | undefined {
    return this.#texts.get(`${session} ${cell}`);
  }
}

/** The view of a cell, which is then marked as read by the client. */
export function shownCell({ seen }: ToolCall, session: string, cell: Cell): CellView {
  seen.note(session, cell.id, cell.source);
  return cellViewOf(cell);
}

/**
 * A cell as returned by a route: without secrets.
 * @throws ToolRefusal
 */
export async function readCell(call: ToolCall, session: string, id: string): Promise<Cell> {
  const { cells } = await call.caller.call('listCells', { params: { sid: session } });
  const cell = cells.find((one) => one.id === id);
  if (cell === undefined) throw new ToolRefusal('Cell not found', 'not_found');
  return cell;
}

/** Maximum number of attached figures of a cell; the last ones are used. */
const MAX_IMAGES = 4;

/** The figures of a cell as images. */
export function imagesOf(cell: Cell): readonly ToolImage[] {
  return cell.display_outputs
    .flatMap(({ inline_data_url: url }) => {
      const match = /^data:(image\/(?:png|jpeg|gif|webp));base64,(.*)$/s.exec(url ?? '');
      return match === null ? [] : [{ mimeType: match[1] ?? '', data: match[2] ?? '' }];
    })
    .slice(-MAX_IMAGES);
}

/** Notifies the windows of a notebook of this client's action. */
export function notifyWindows(call: ToolCall, session: string, text: string): Promise<void> {
  return note(call, session, { source: 'mcp', text: `${call.client} ${text}` });
}

/** Sends an agent_note to every window of the notebook. */
export async function note(
  call: ToolCall,
  session: string,
  { source, text }: { readonly source: 'mcp' | 'agent'; readonly text: string },
): Promise<void> {
  const identity = call.caller.identity(undefined);
  await call
    .session(session)
    .dispatch({ type: 'broadcast_note', source, text }, { kind: 'caller', identity });
}
