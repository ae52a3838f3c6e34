/** The MCP tool that reads one page of a table that a cell stored, with search and filters. */

import * as z from 'zod';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { ToolRefusal } from './mcpCaller.ts';
import { cellId, readCell, sid, type ToolCall } from './tool.ts';

const filter = z.object({
  col: z.string(),
  op: z.enum(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'between', 'contains', 'is_null', 'not_null']),
  value: z.unknown().optional(),
  value2: z.unknown().optional(),
});

export const tablePageInput = z.object({
  session_id: sid,
  cell_id: cellId,
  variable: z
    .string()
    .nullish()
    .describe(
      'Name of a stored variable. Default: the last table that the cell showed, or its only stored variable.',
    ),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500).default(50),
  sort_by: z.string().nullish(),
  sort_dir: z.enum(['asc', 'desc']).default('asc'),
  search: z.string().nullish(),
  filters: z.array(filter).nullish(),
});

export const tablePage = z.object({
  cell_id: z.string(),
  artifact_uri: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.unknown())),
  /** The number of rows after search and filters. */
  total: z.int(),
  offset: z.int(),
  limit: z.int(),
});

/** One page of a table of a cell. @throws ToolRefusal */
export async function readTablePage(
  call: ToolCall,
  input: z.output<typeof tablePageInput>,
): Promise<z.infer<typeof tablePage>> {
  const { session_id, cell_id, variable, offset, limit, sort_by, sort_dir, search, filters } = input;
  const cell = await readCell(call, session_id, cell_id);
  const artifact_uri = tableOf(cell, variable ?? null);
  const page = await call.caller.call('cellData', {
    params: { sid: session_id, cell_id },
    query: {
      artifact_uri,
      offset,
      limit,
      sort_dir,
      ...(sort_by == null ? {} : { sort_by }),
      ...(search == null ? {} : { search }),
      ...(filters == null ? {} : { filters: JSON.stringify(filters) }),
    },
  });
  if (!page.pageable) throw new ToolRefusal('This result is not a table.');
  const { columns, rows, total } = page;
  return { cell_id, artifact_uri, columns, rows, total, offset: page.offset, limit: page.limit };
}

function tableOf(cell: Cell, variable: string | null): string {
  const stored: Readonly<Record<string, string>> = { ...cell.unread_uris, ...cell.artifact_uris };
  if (variable !== null) {
    const uri = Object.hasOwn(stored, variable) ? stored[variable] : undefined;
    if (uri !== undefined) return uri;
    const names = Object.keys(stored).join(', ') || 'none';
    throw new ToolRefusal(
      `Cell ${cell.id} has no stored variable ${variable}. Stored: ${names}.`,
      'not_found',
    );
  }
  const tableUri = cell.display_outputs.findLast(
    ({ content_type: type }) => type === 'arrow/ipc',
  )?.artifact_uri;
  // The result of a SQL cell is a variable; what it shows is a text.
  const [only, ...more] = Object.values(stored);
  if (tableUri == null && only !== undefined && more.length === 0) return only;
  if (tableUri == null) {
    throw new ToolRefusal(
      `Cell ${cell.id} shows no table. Name a stored variable, or run the cell.`,
      'not_found',
    );
  }
  return tableUri;
}
