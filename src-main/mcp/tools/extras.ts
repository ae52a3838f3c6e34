/** MCP tools that the specification does not have, such as the search in a notebook. */

import * as z from 'zod';
import { isCellId } from '../../../src-shared/notebook/ids.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { explanation } from '../../../src-shared/wire/routes/extensions.ts';
import { cellNameOf } from '../../../src-shared/wire/toCellView.ts';
import { ToolRefusal } from '../mcpCaller.ts';
import { readTablePage, tablePage, tablePageInput } from '../tablePage.ts';
import { cellId, defineTool, readCell, sid, type Tool } from '../tool.ts';

const MAX_MATCHES = 100;
const MAX_LINE_CHARACTERS = 300;

const match = z.object({
  cell_id: z.string(),
  name: z.string(),
  where: z.enum(['source', 'stdout', 'stderr', 'error', 'tests']),
  /** The line's number, from 1. */
  line: z.int(),
  text: z.string(),
});
type Match = z.infer<typeof match>;

/** The additional tools by name (docs/extensions.md). */
export const EXTRA_TOOLS: Readonly<Record<string, Tool>> = {
  table_page: defineTool({
    scope: 'notebook:read',
    title: 'Read a table',
    description:
      'Read rows of a table that a cell stored or showed: sorted, searched and filtered by the server, at most 500 rows.',
    input: tablePageInput,
    output: tablePage,
    run: async (call, input) => ({ result: await readTablePage(call, input) }),
  }),
  explain: defineTool({
    scope: 'notebook:read',
    title: 'Explain a status',
    description:
      'Explain why a cell is stale or up to date: what its last run used, and what has changed since.',
    input: z.object({ session_id: sid, cell_id: cellId }),
    output: explanation,
    async run({ caller }, { session_id, cell_id }) {
      return { result: await caller.call('explainCell', { params: { sid: session_id, cell_id } }) };
    },
  }),
  search: defineTool({
    scope: 'notebook:read',
    title: 'Search a notebook',
    description: 'Find text in sources, tests, printed text and errors of all cells. Case does not matter.',
    input: z.object({ session_id: sid, query: z.string().min(1).max(200) }),
    output: z.object({ matches: z.array(match), truncated: z.boolean() }),
    async run({ caller }, { session_id, query }) {
      const { cells } = await caller.call('listCells', { params: { sid: session_id } });
      const all = cells.flatMap((cell) => matchesIn(cell, query.toLowerCase()));
      return { result: { matches: all.slice(0, MAX_MATCHES), truncated: all.length > MAX_MATCHES } };
    },
  }),
  evaluate: defineTool({
    scope: 'notebook:execute',
    title: 'Evaluate an expression',
    description:
      'Evaluate a Python expression or statement with the values a cell reads and has stored. It adds no cell and changes no stored result.',
    input: z.object({
      session_id: sid,
      cell_id: cellId,
      expression: z.string().min(1).max(100_000),
    }),
    output: z.object({
      ok: z.boolean(),
      result: z.string().optional(),
      type: z.string().optional(),
      stdout: z.string().optional(),
      stderr: z.string().optional(),
      error: z.string().optional(),
    }),
    async run(call, { session_id, cell_id, expression }) {
      await readCell(call, session_id, cell_id);
      if (!isCellId(cell_id)) throw new ToolRefusal('Cell not found', 'not_found');
      const identity = call.caller.identity(undefined);
      const { ok, result, type, stdout, stderr, error } = await call.evaluate(call.session(session_id), {
        cellId: cell_id,
        expression,
        identity,
      });
      const consoleResult = {
        ...(result === undefined ? {} : { result }),
        ...(type === undefined ? {} : { type }),
        ...(stdout === undefined ? {} : { stdout }),
        ...(stderr === undefined ? {} : { stderr }),
        ...(error === undefined ? {} : { error }),
      };
      return { result: { ok, ...consoleResult } };
    },
  }),
};

function matchesIn(cell: Cell, query: string): readonly Match[] {
  const texts: Readonly<Record<Match['where'], string>> = {
    source: cell.source,
    tests: cell.test_source,
    stdout: cell.console_stdout,
    stderr: cell.console_stderr,
    error: cell.error ?? '',
  };
  const name = cellNameOf(cell);
  return Object.entries(texts).flatMap(([where, text]) =>
    text.split('\n').flatMap((line, at) =>
      line.toLowerCase().includes(query)
        ? [
            {
              cell_id: cell.id,
              name,
              where: where as Match['where'],
              line: at + 1,
              text: line.slice(0, MAX_LINE_CHARACTERS),
            },
          ] // a key of the literal
        : [],
    ),
  );
}
