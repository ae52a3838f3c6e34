/**
 * Computes the plain-text form and the height of a cell far outside the viewport: name, source, printed output, table
 * rows. Find, print and screen readers get all of it; buttons, colours and grids are added when it comes near. It is
 * skipped by layout from the start, so its height must be known in advance: a cell whose height cannot be computed is
 * rendered in full.
 */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { Output } from '../../src-shared/wire/output.ts';
import { ROW_HEIGHT as CONSOLE_LINE } from '../outputs/console/lineWindow.ts';
import { shortValue } from '../outputs/jsonText.ts';
import { outputKind } from '../outputs/outputKind.ts';
import { hasBars, headerHeight } from '../outputs/table/headerHeight.ts';
import { firstRows, pageOfPreview } from '../outputs/table/tablePage.ts';
import { plainQuery } from '../outputs/table/tableQuery.ts';
import { type ConsoleText, consoleString } from '../state/consoleText.ts';
import { loopOfCell } from '../state/loop.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { shownError } from '../state/shownError.ts';

/** The content of a cell far from the viewport. */
export interface OffscreenCell {
  /** Inner height of its box, in CSS px. */
  readonly height: number;
  readonly source: string;
  /** Printed output and displays, in order. */
  readonly texts: readonly string[];
}

/** From cell.css and code.css: borders, bar and paddings of the source; and one line (`--code-line`). */
const CARD = 2 + 30 + 16;
const LINE = 20;
/** From tests.css: the closed section and its border. */
const TESTS = 29;
/**
 * From console.css: border and paddings; the same with the tag of stderr; and the number of lines from which it
 * scrolls.
 */
const CONSOLE = 17;
const CONSOLE_TAGGED = 31;
const MAX_LINES = 20;
/** From table.css: paddings and border, the border of the header, and the footer; and one row. */
const TABLE = 21 + 1 + 26;
const ROW = 25;
/** Characters for which the number of lines or their width could differ from what is computed here. */
const ODD_SOURCE = /[\r\v\f\u0085\u2028\u2029]/;
const ODD_CONSOLE = /[^\x20-\x7e\n]/;
/** The longest console line, in characters, that no width of the notebook column wraps. */
const SHORT = 40;
const MAX_COLUMNS = 50;

/** The content of a cell while it is far away; null if it must be rendered in full. */
export function offscreenCell(model: CellModel, source: string): OffscreenCell | null {
  const { cell } = model;
  const { runs, asksModel, hasTests } = LANGUAGES[cell.language];
  if (!runs || cell.status === 'running' || shownError(cell) !== null) return null;
  if (cell.file_problem !== undefined || cell.annotation_diagnostics.length > 0) return null;
  if (loopOfCell(cell) !== null || asksModel) return null;
  if (model.testing) return null;
  if (model.mutationWarnings.length > 0 || ODD_SOURCE.test(source)) return null;
  let height = CARD + LINE * linesOf(source);
  if (cell.test_source !== '' && hasTests) height += TESTS;
  const texts: string[] = [];
  for (const stream of ['stdout', 'stderr'] as const) {
    if (model[stream].total === 0) continue;
    const text = farConsole(model[stream]);
    if (text === null) return null;
    const lines = linesOf(text);
    height += (stream === 'stderr' ? CONSOLE_TAGGED : CONSOLE) + CONSOLE_LINE * lines;
    texts.push(text);
  }
  for (const output of cell.display_outputs) {
    const rows = farTable(output);
    if (rows === null) return null;
    height += TABLE + headerHeight(hasBars(output)) + ROW * (rows.length - 1);
    texts.push(rows.join('\n'));
  }
  return { height, source, texts };
}

/** The number of lines of a text without wrapping; a line break at the very end adds none. */
export function linesOf(text: string): number {
  let lines = text === '' || !text.endsWith('\n') ? 1 : 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function farConsole(console: ConsoleText): string | null {
  if (console.dropped > 0 || console.total > MAX_LINES * SHORT) return null;
  const text = consoleString(console);
  if (ODD_CONSOLE.test(text) || linesOf(text) > MAX_LINES) return null;
  return text.split('\n').some((line) => line.length > SHORT) ? null : text;
}

/** The column names and the rows that the card would show, one line each; null if the height cannot be computed. */
function farTable(output: Output): readonly string[] | null {
  if (output.error !== null || outputKind(output) !== 'table') return null;
  const page = pageOfPreview(output, plainQuery, firstRows);
  if (page === null || page.rows.length === 0 || page.columns.length > MAX_COLUMNS) return null;
  return [page.columns.join('\t'), ...page.rows.map((row) => row.map(shortValue).join('\t'))];
}
