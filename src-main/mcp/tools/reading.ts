/** MCP tools that read an open notebook. */

import * as z from 'zod';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { Cell, variantGroup } from '../../../src-shared/wire/cell.ts';
import { cellView } from '../../../src-shared/wire/cellView.ts';
import { dag } from '../../../src-shared/wire/dag.ts';
import { statusViewOf, variableViewOf } from '../../../src-shared/wire/toCellView.ts';
import { ownName } from '../../notebook/folder/ownPlaces.ts';
import { cellId, defineTool, imagesOf, readCell, shownCell, sid, type Tool } from '../tool.ts';
import { saveOutput } from './saveOutput.ts';

export const cellsView = z.object({ cells: z.array(cellView) });

const variantView = z.object({ variant: z.string(), cell_id: z.string(), lineage_variable: z.string() });

/** Tools that read an open notebook. */
export const READING_TOOLS: Readonly<Record<string, Tool>> = {
  list_notebooks: defineTool({
    scope: 'notebook:read',
    title: 'List notebooks',
    description: 'List the open notebooks of the server. Other tools need a session_id from here.',
    input: z.object({}),
    output: z.array(z.object({ session_id: z.string(), name: z.string(), path: z.string() })),
    async run({ caller }) {
      const { sessions } = await caller.call('listSessions', {});
      return { result: sessions.map(({ session_id, name, path }) => ({ session_id, name, path })) };
    },
  }),
  get_notebook: defineTool({
    scope: 'notebook:read',
    title: 'Read a notebook',
    description:
      'Read all cells in notebook order: sources, statuses, outputs, console text and errors. Figures are attached by get_cell.',
    input: z.object({ session_id: sid }),
    output: cellsView,
    async run(call, { session_id }) {
      const { cells } = await call.caller.call('listCells', { params: { sid: session_id } });
      return { result: { cells: cells.map((cell) => shownCell(call, session_id, cell)) } };
    },
  }),
  get_cell: defineTool({
    scope: 'notebook:read',
    title: 'Read a cell',
    description: 'Read one cell, with its figures as images.',
    input: z.object({ session_id: sid, cell_id: cellId }),
    output: cellView,
    async run(call, { session_id, cell_id }) {
      const cell = await readCell(call, session_id, cell_id);
      return { result: shownCell(call, session_id, cell), images: imagesOf(cell) };
    },
  }),
  save_cell_output: defineTool({
    scope: 'notebook:read',
    title: 'Save an output to a file',
    description: `Save one output of a cell to a file in ${ownName('outputs')} of the notebook, for programs that read files. index counts from 0; -1 is the last output.`,
    input: z.object({ session_id: sid, cell_id: cellId, index: z.int().default(-1) }),
    output: z.object({
      cell_id: z.string(),
      index: z.int(),
      path: z.string(),
      content_type: z.string(),
      bytes: z.int(),
    }),
    run: saveOutput,
  }),
  get_variable: defineTool({
    scope: 'notebook:read',
    title: 'Find a variable',
    description:
      'Find the cell that defines a variable. For an unknown name, returns the names that exist; a variable of a swept group lists its variants.',
    input: z.object({ session_id: sid, name: z.string().describe('Name of the variable.') }),
    output: z.object({
      variable: z.string(),
      defined: z.boolean(),
      available: z.array(z.string()).optional(),
      defined_in: z.string().optional(),
      cell: cellView.optional(),
      variants: z.array(variantView).optional(),
    }),
    async run(call, { session_id, name }) {
      const params = { sid: session_id };
      const [{ cells }, graph] = await Promise.all([
        call.caller.call('listCells', { params }),
        call.caller.call('getDag', { params }),
      ]);
      const producer = graph.variable_producer[name] ?? '';
      const variants = variantsOf(cells, {
        name,
        producer,
        groups: call.session(session_id).views.notebook.body().variant_groups,
      });
      if (variants !== null) return { result: { variable: name, defined: true, variants } };
      const view = variableViewOf(cells, name);
      if (!view.defined) return { result: { ...view, available: [...view.available] } };
      const cell = await readCell(call, session_id, view.defined_in);
      return { result: { ...view, cell: shownCell(call, session_id, cell) } };
    },
  }),
  dag: defineTool({
    scope: 'notebook:read',
    title: 'Read the graph',
    description: 'Read which cell reads which variable of which cell, and the order in which cells run.',
    input: z.object({ session_id: sid }),
    output: dag,
    async run({ caller }, { session_id }) {
      return { result: await caller.call('getDag', { params: { sid: session_id } }) };
    },
  }),
  status: defineTool({
    scope: 'notebook:read',
    title: 'Read statuses',
    description: 'Read the status of every cell, without sources and outputs.',
    input: z.object({ session_id: sid }),
    output: z.object({
      notebook_id: z.string(),
      name: z.string(),
      cells: z.array(
        cellView.pick({
          id: true,
          name: true,
          language: true,
          status: true,
          staleness_reasons: true,
          defines: true,
        }),
      ),
    }),
    async run({ caller, session }, { session_id }) {
      const { cells } = await caller.call('listCells', { params: { sid: session_id } });
      const { id, name } = session(session_id).views.notebook.body();
      const view = statusViewOf({ id, name, cells });
      return { result: { ...view, cells: [...view.cells] } };
    },
  }),
};

/**
 * The values of a name by variant, from a swept group or a cell that runs once per variant; null for any
 * other name.
 */
function variantsOf(
  cells: readonly Cell[],
  {
    name,
    producer,
    groups,
  }: {
    readonly name: string;
    readonly producer: string;
    readonly groups: readonly z.infer<typeof variantGroup>[];
  },
): z.infer<typeof variantView>[] | null {
  const [kind, groupName] = producer.split(':', 2);
  if (kind !== 'sweep' && kind !== 'fanout') return null;
  const members = groups.find(({ group }) => group === groupName)?.members ?? [];
  const makers = cells.filter(({ defines }) => defines.includes(name));
  return members.flatMap(({ cell_id, name: variant }) => {
    const isMember = makers.some(({ id }) => id === cell_id);
    if (kind === 'sweep') return isMember ? [{ variant, cell_id, lineage_variable: name }] : [];
    const maker = makers.find(({ id }) => id !== cell_id);
    return maker === undefined
      ? []
      : [{ variant, cell_id: maker.id, lineage_variable: variantLabel(name, variant) }];
  });
}
