/** For tests: analyses a notebook of Python cells and lists its diagnostics. */

import { buildGraph } from '../../../../src-shared/notebook/graph.ts';
import { parseNotebookToml } from '../../../notebook/file/notebookFile.ts';
import { analyzeCell, createAnalyzer } from '../../analyzeCell.ts';
import { graphCell } from '../../graphCell.ts';
import { diagnosticsOf } from '../checks.ts';

const analyzer = await createAnalyzer();

/** Every diagnostic of Python cells `a`, `b`, … in order; `row` is `cell severity code line subject`. */
export function diagnosticsOfNotebook(
  sources: readonly string[],
): readonly { readonly row: string; readonly message: string }[] {
  const blocks = sources.map((_, order) => {
    const id = String.fromCharCode(97 + order);
    return `[[cells]]\nid = "${id}"\nfile = "cells/${id}.py"\nlanguage = "python"\norder = ${order}`;
  });
  const file = parseNotebookToml(['notebook_id = "n"', ...blocks].join('\n'));
  const checked = file.cells.map((entry, at) => {
    const source = sources[at] ?? '';
    return { id: entry.id, entry, source, analysis: analyzeCell(analyzer, { language: 'python', source }) };
  });
  const linked = buildGraph(checked.map(({ id, analysis }) => graphCell(id, analysis)));
  if (linked.kind !== 'graph') throw new Error(linked.message);
  const notebook = { file, cells: new Map(checked.map((cell) => [cell.id, cell])), graph: linked.graph };
  return checked.flatMap((cell) =>
    diagnosticsOf(cell, notebook).map(({ severity, code, line, subject, message }) => ({
      row: [cell.id, severity, code, line, subject].join(' '),
      message,
    })),
  );
}
