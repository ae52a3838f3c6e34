/** The content of one cell in an export that has the layout of the app view. */

import { isOutdated, lacksResult, showsCode } from '../../../src-shared/notebook/app/inApp.ts';
import { headingsOf } from '../../../src-shared/notebook/headings.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { ExportedCell, ExportView } from '../exportView.ts';
import { type Block, cellBlocks, type RenderOptions } from './blocks.ts';
import { cutOutput, plainOutput } from './outputParts.ts';

/** What the app view shows of a cell: code if the layout says so, results, and what is wrong with them. */
export async function* appCellBlocks(
  view: ExportView,
  exported: ExportedCell,
  options: RenderOptions,
): AsyncGenerator<Block> {
  const { cell } = exported;
  if (showsCode(cell, view.app)) {
    yield { kind: 'code', language: LANGUAGES[cell.language].fence, text: cell.source };
  }
  // A failed cell has no current results.
  const current = cell.error === null ? exported : { ...exported, cell: { ...cell, display_outputs: [] } };
  yield* cellBlocks(view, current, { ...options, appView: true });
  if (cell.error !== null) {
    const reason = plainOutput(cell.error).trimEnd().split('\n').at(-1) ?? '';
    const text = cutOutput(reason, options.maxOutputBytes);
    yield { kind: 'text', role: 'error', text: `This output could not be created: ${text}` };
    return;
  }
  if (lacksResult(cell)) yield { kind: 'note', text: 'No result yet.' };
  if (isOutdated(cell)) yield { kind: 'note', text: 'This result is out of date.' };
}

/** The name of a cell: a text cell's first heading, otherwise the name in the notebook. */
export function appCellName({ cell, title }: ExportedCell): string {
  const heading = LANGUAGES[cell.language].runs ? undefined : headingsOf(cell.source)[0];
  return heading?.text ?? cell.annotations.name ?? title;
}
