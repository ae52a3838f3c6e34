/** Finds the notebook's set-up cell, and reports cells with `@setup` that cannot be it. */

import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { type DiagnosticCode, diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { type CheckedCell, type CheckedNotebook, NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

type SetupNotebook = Pick<CheckedNotebook, 'cells' | 'graph'>;

interface Fault {
  readonly code: DiagnosticCode;
  readonly message: string;
}

/**
 * The notebook's set-up cell: the first cell that is not Markdown, if it has `@setup`, is Python and depends on no
 * other cell; otherwise null. Called for every cell on every walk, so it looks no further than that first cell.
 */
export function setupCellOf<C extends CheckedCell>(
  notebook: Pick<SetupNotebook, 'graph'> & { readonly cells: ReadonlyMap<string, C> },
): C | null {
  const first = firstOf(notebook.cells);
  return first?.analysis.annotations.setup && ownFault(first, notebook) === null ? first : null;
}

function firstOf<C extends CheckedCell>(cells: ReadonlyMap<string, C>): C | null {
  for (const cell of cells.values()) if (LANGUAGES[cell.entry.language].runs) return cell;
  return null;
}

/** Why a cell with `@setup` is an ordinary one, regardless of its position. */
function ownFault(cell: CheckedCell, { graph }: Pick<SetupNotebook, 'graph'>): Fault | null {
  if (!LANGUAGES[cell.entry.language].setsUp) {
    const message =
      'Only a Python cell can be the setup cell, so this is a normal cell. Remove the @setup line.';
    return { code: 'setup_not_python', message };
  }
  const part = runOnlyPart(cell);
  if (part !== null) {
    const message = `The setup cell runs before every cell and cannot use ${part}, so this is a normal cell. Move ${part} to another cell, or remove the @setup line.`;
    return { code: 'setup_annotation', message };
  }
  if ((graph.upstream.get(cell.id) ?? []).length > 0) {
    const message =
      'The setup cell cannot use other cells, so this is a normal cell. Move the code it uses into this cell, or remove the @setup line.';
    return { code: 'setup_reads_cells', message };
  }
  return null;
}

/** An annotation that applies only to a cell's own run, and so has no effect when another cell starts. */
function runOnlyPart({ analysis, entry }: CheckedCell): string | null {
  const { annotations } = analysis;
  if (Object.keys({ ...annotations.env, ...entry.env }).length > 0) return 'the environment variable';
  if (annotations.mounts.length + entry.mounts.length > 0) return 'the mount';
  if (annotations.tables.length > 0) return 'the table';
  if (annotations.fetches.length > 0) return 'the fetched file';
  if (annotations.datasets.length > 0) return 'the dataset';
  if (annotations.loop !== null) return 'the loop';
  return annotations.variant !== null || annotations.perVariant !== null ? 'the variant' : null;
}

function faultOf(cell: CheckedCell, notebook: SetupNotebook): Fault | null {
  const own = ownFault(cell, notebook);
  if (own !== null || firstOf(notebook.cells)?.id === cell.id) return own;
  if (setupCellOf(notebook) !== null) {
    const message =
      'The notebook already has a setup cell, so this is a normal cell. Move its lines into the setup cell, or remove the @setup line.';
    return { code: 'setup_duplicate', message };
  }
  const message =
    'The setup cell must be the first cell, so this is a normal cell. Move it above the other cells, or remove the @setup line.';
  return { code: 'setup_not_first', message };
}

/** Reports a cell with `@setup` that cannot be the set-up cell, and seeds in the one that is (docs/extensions.md). */
export const checkSetup: NotebookCheck = (cell, notebook) => {
  if (!cell.analysis.annotations.setup || !LANGUAGES[cell.entry.language].runs) return NO_DIAGNOSTICS;
  const fault = faultOf(cell, notebook);
  if (fault !== null) {
    return [diagnose(fault.code, fault.message, lineOf(readDirectives(cell.source), 'setup'))];
  }
  return cell.analysis.seedCalls.map(({ call, line }) => {
    const words = `Each cell restarts this random sequence, because the setup cell runs before every cell. If cells should draw different numbers, call \`${call}\` in each of them with another seed.`;
    return diagnose('setup_seed', words, line, call);
  });
};
