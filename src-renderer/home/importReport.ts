/** Writes the report of a Jupyter or snapshot import as sentences and lists, for the import dialog. */

import type { JupyterReport, SnapshotReport } from '../../src-shared/wire/routes/transfer.ts';
import { HOME_WORDS } from '../words/home.ts';

/** The result for one item of the file. */
interface ReportItem {
  /** The cell of the item: its id, and its name as shown. */
  readonly cell: { readonly id: string; readonly name: string } | null;
  readonly text: string;
}

/** An import report: sentences, then lists with titles. */
export interface ImportReport {
  readonly words: readonly string[];
  readonly sections: readonly {
    readonly title: string;
    /** Whether the texts are code. */
    readonly isCode: boolean;
    readonly items: readonly ReportItem[];
  }[];
}

const W = HOME_WORDS.importReport;

/** In the order of importance: items that need work come first. */
const SECTIONS = [
  { kind: 'warnings', isCode: false },
  { kind: 'dropped_shells', isCode: true },
  { kind: 'dropped_magics', isCode: true },
  { kind: 'translated_magics', isCode: false },
  { kind: 'captured_deps', isCode: true },
  { kind: 'skipped_cells', isCode: false },
] as const;

/**
 * The report of a Jupyter notebook.
 * @param order the cells of the new notebook, which are named by their position
 */
export function jupyterWords(report: JupyterReport, order: readonly string[]): ImportReport {
  const cellOf = (id: string | null): ReportItem['cell'] => {
    const at = id === null ? -1 : order.indexOf(id);
    return id === null || at === -1 ? null : { id, name: W.cell(at + 1) };
  };
  return {
    words: [
      W.cells(report.code_cells, report.markdown_cells),
      ...(report.suppressed_outputs === 0 ? [] : [W.silent(report.suppressed_outputs)]),
    ],
    sections: SECTIONS.flatMap(({ kind, isCode }) => {
      const items = report.findings
        .filter((one) => one.kind === kind)
        .map(({ cell_id, text }) => ({ cell: cellOf(cell_id), text }));
      return items.length === 0 ? [] : [{ title: W.titles[kind], isCode, items }];
    }),
  };
}

/**
 * The report of a snapshot.
 * @param order the cells of the new notebook, which are named by their position
 */
export function snapshotWords(report: SnapshotReport, order: readonly string[]): ImportReport {
  const { imported_artifacts: keptCount, replaced_notebook_id: replaced, by_reference_cells: cells } = report;
  return {
    words: [W.kept(keptCount), ...(replaced === null ? [] : [W.ownId])],
    sections:
      cells.length === 0
        ? []
        : [
            {
              title: W.without,
              isCode: false,
              items: cells.map((id) => {
                const at = order.indexOf(id);
                return at === -1
                  ? { cell: null, text: id }
                  : { cell: { id, name: W.cell(at + 1) }, text: '' };
              }),
            },
          ],
  };
}
