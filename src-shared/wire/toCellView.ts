/** Converts cells to what the command line and MCP tools show. It loads no schema: commands import it [AR-63]. */

import { titleOf } from '../notebook/cellTitle.ts';
import type { Cell } from './cell.ts';
import type { CellView } from './cellView.ts';

/** The display name of a cell: its @name, else what it defines, else its id. */
export function cellNameOf({ annotations, defines, source, id }: Cell): string {
  return titleOf({ name: annotations.name, defines, source }) ?? id;
}

/** The REST form of a cell's view. */
export function cellViewOf(cell: Cell): CellView {
  const { id, language, status, source, staleness_reasons, defines, references } = cell;
  const { upstream_ids, downstream_ids, console_stdout, console_stderr, error, test_result } = cell;
  return {
    id,
    name: cellNameOf(cell),
    language,
    status,
    source,
    staleness_reasons,
    defines,
    references,
    upstream_ids,
    downstream_ids,
    outputs: cell.display_outputs.map(({ content_type, preview, rows, columns, artifact_uri, bytes }) => ({
      content_type,
      preview,
      rows,
      columns,
      artifact_uri,
      bytes,
    })),
    console_stdout,
    console_stderr,
    ...(error === null ? {} : { error }),
    test: test_result === null ? null : testViewOf(test_result),
    created_by: cell.created_by ?? '',
    updated_by: cell.updated_by ?? '',
    controls: controlsOf(cell.widget),
  };
}

function testViewOf({ passed, failed, errored, skipped, tests }: NonNullable<Cell['test_result']>) {
  const cases = tests.map(({ name, outcome, message }) => ({ name, outcome, message }));
  return { passed, failed, errored, skipped, cases };
}

function controlsOf(widget: Cell['widget']): CellView['controls'] {
  if (widget === undefined) return [];
  const { descriptors, values } = widget;
  return descriptors.map((control) => ({ ...control, value: values[control.name] ?? control.default }));
}

/**
 * The producer of a variable, or the existing variables if there is none (docs/spec/mcp.md, 3;
 * docs/spec/command-line.md, 4).
 */
type VariableView =
  | { readonly variable: string; readonly defined: false; readonly available: readonly string[] }
  | {
      readonly variable: string;
      readonly defined: true;
      readonly defined_in: string;
      readonly cell: CellView;
    };

/** The cell whose value readers of a variable get; of variants the active one, of several cells the last. */
export function variableMaker(cells: readonly Cell[], name: string): Cell | null {
  const makers = cells.filter(({ defines }) => defines.includes(name));
  return makers.filter(({ variant_active }) => variant_active).at(-1) ?? makers.at(-1) ?? null;
}

/** The view of one variable of a notebook. */
export function variableViewOf(cells: readonly Cell[], name: string): VariableView {
  const cell = variableMaker(cells, name);
  if (cell !== null) return { variable: name, defined: true, defined_in: cell.id, cell: cellViewOf(cell) };
  const available = [...new Set(cells.flatMap(({ defines }) => defines))].sort();
  return { variable: name, defined: false, available };
}

/** A summary of a notebook (docs/spec/mcp.md, 2, `status`). */
interface StatusView {
  readonly notebook_id: string;
  readonly name: string;
  readonly cells: readonly Pick<
    CellView,
    'id' | 'name' | 'language' | 'status' | 'staleness_reasons' | 'defines'
  >[];
}

/** The REST form of the summary. */
export function statusViewOf(body: {
  readonly id: string;
  readonly name: string;
  readonly cells: readonly Cell[];
}): StatusView {
  return {
    notebook_id: body.id,
    name: body.name,
    cells: body.cells.map((cell) => {
      const { id, language, status, staleness_reasons, defines } = cell;
      return { id, name: cellNameOf(cell), language, status, staleness_reasons, defines };
    }),
  };
}
