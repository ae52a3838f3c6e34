/** Makes the result of a SQL cell, its table and preview, from the rows of a query or the effects of writes. */

import { join } from 'node:path';
import type { HarnessResult, OutputMeta } from '../../../src-shared/wire/harness.ts';
import { writeOver } from '../../lib/guardedFolder/replace.ts';
import { markdownOf } from '../../sql/arrow/preview.ts';
import { shownValue } from '../../sql/arrow/shown.ts';
import type { WrittenTable } from '../../sql/arrow/writeTable.ts';
import { type Column, INT32, INT64, type Row, TEXT } from '../../sql/columnType.ts';
import type { WriteDone } from '../../sql/driver.ts';
import type { CellStatement } from '../../sql/readCell.ts';

/** The files of a SQL result in the run's output folder. */
export const TABLE_FILE = 'result.arrow';
const DISPLAY_FILE = 'display.md';

/** Rows the display of a reading cell shows (docs/spec/values.md, 2). */
const DISPLAYED_ROWS = 5;

/**
 * The result of a SQL cell in the form of a harness result: the table under its name, and a preview in
 * Markdown.
 */
export async function resultOf(
  table: WrittenTable,
  options: { readonly name: string; readonly outputDir: string; readonly shown: 'first rows' | 'all rows' },
): Promise<Extract<HarnessResult, { success: true }>> {
  const { columns, head, rows } = table;
  const displayed = options.shown === 'all rows' ? head : head.slice(0, DISPLAYED_ROWS);
  const markdown = Buffer.from(markdownOf(columns, displayed, rows));
  await writeOver(join(options.outputDir, DISPLAY_FILE), markdown);
  const names = columns.map(({ name }) => name);
  const meta: OutputMeta = {
    content_type: 'arrow/ipc',
    file: TABLE_FILE,
    bytes: table.bytes,
    sha256: table.sha256,
    rows,
    columns: names,
    schema: [...table.schema],
    preview: head.map((row) => columns.map(({ type }, i) => shownValue(row[i] ?? null, type))),
  };
  const display: OutputMeta = {
    content_type: 'text/markdown',
    file: DISPLAY_FILE,
    bytes: markdown.byteLength,
    preview: null,
    rows,
    columns: names,
  };
  return {
    success: true,
    variables: { [options.name]: meta },
    displays: [display],
    mutation_warnings: [],
    build_env: '',
  };
}

const STATUS_COLUMNS: readonly Column[] = [
  { name: 'stmt', type: INT32 },
  { name: 'kind', type: TEXT },
  { name: 'rows_affected', type: INT64 },
];

/** The effect of each statement of a write, as the cell's table (docs/spec/sql.md, 1). */
export async function writeStatusTable(
  statements: readonly CellStatement[],
  done: readonly WriteDone[],
  outputDir: string,
): Promise<WrittenTable & { readonly head: readonly Row[] }> {
  const rows = statements.map(
    ({ statement }, i): Row => [i + 1, statement.kind, done[i]?.rowsAffected ?? null],
  );
  const stream = {
    columns: STATUS_COLUMNS,
    batches: (async function* () {
      yield rows;
    })(),
  };
  // Loads Apache Arrow, which a server without such a cell never needs.
  const { writeTable } = await import('../../sql/arrow/writeTable.ts');
  const table = await writeTable(stream, join(outputDir, TABLE_FILE), new AbortController().signal);
  return { ...table, head: rows };
}
