/** The text of the report that an import of a Jupyter notebook leaves. */

import { cellId as asCellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { JupyterReport } from '../../../src-shared/wire/routes/transfer.ts';
import { cellFileOf } from '../../notebook/file/cellFileNames.ts';
import type { ConvertedNotebook } from './convertedNotebook.ts';
import type { FindingKind } from './findings.ts';

const TITLES: readonly (readonly [kind: FindingKind, title: string])[] = [
  ['warnings', 'To look at'],
  ['dropped_shells', 'Shell commands that were not run'],
  ['dropped_magics', 'Unsupported magics that were removed'],
  ['translated_magics', 'Converted magics'],
  ['captured_deps', 'Packages from install commands'],
  ['skipped_cells', 'Skipped cells'],
];

const OUTPUTS = {
  none: 'The file has no outputs. Run the notebook to create them.',
  some: 'Outputs from the file are shown until a cell runs. They are not results.',
};

/** The report of an import; `more` are warnings from opening the notebook. */
export function importReport(
  converted: ConvertedNotebook,
  {
    name,
    path,
    more,
  }: { readonly name: string; readonly path: string | null; readonly more: readonly string[] },
): JupyterReport {
  const findings = [
    ...converted.findings,
    ...more.map((text) => ({ cellId: null, kind: 'warnings' as const, text })),
  ];
  /** Cells are numbered from 1; the link leads to the cell's file next to the report. */
  const placeOf = (cellId: string): string => {
    const at = converted.cells.findIndex(({ id }) => id === cellId);
    const cell = converted.cells[at];
    if (cell === undefined) return cellId;
    return `[cell ${at + 1}](${cellFileOf(asCellId(cellId), cell.language)})`;
  };
  const of = (kind: FindingKind) => findings.filter((one) => one.kind === kind).map(({ text }) => text);
  const counts = {
    markdown_cells: converted.cells.filter(({ language }) => !LANGUAGES[language].runs).length,
    code_cells: converted.cells.filter(({ language }) => LANGUAGES[language].runs).length,
    suppressed_outputs: of('suppressed_outputs').length,
  };
  const sections = TITLES.flatMap(([kind, title]) => {
    const items = findings.filter((one) => one.kind === kind);
    if (items.length === 0) return [];
    const lines = items.map(
      ({ cellId, text }) => `- ${cellId === null ? '' : `${placeOf(cellId)}: `}${text.replace(/\s+/g, ' ')}`,
    );
    return [`## ${title}\n\n${lines.join('\n')}`];
  });
  const head = [
    `# Import of ${name}`,
    `${words(counts.code_cells, 'code cell')} and ${words(counts.markdown_cells, 'text cell')} were imported. ${OUTPUTS[converted.outputs.size === 0 ? 'none' : 'some']}`,
    ...(counts.suppressed_outputs === 0
      ? []
      : [`${words(counts.suppressed_outputs, 'cell')} that end with \`;\` still show no output.`]),
    ...(converted.dependencies.length === 0 ? [] : [`Packages: ${converted.dependencies.join(', ')}.`]),
  ];
  return {
    ...counts,
    skipped_cells: of('skipped_cells'),
    translated_magics: of('translated_magics'),
    dropped_magics: of('dropped_magics'),
    dropped_shells: of('dropped_shells'),
    captured_deps: of('captured_deps'),
    warnings: of('warnings'),
    findings: findings.map(({ cellId, kind, text }) => ({ cell_id: cellId, kind, text })),
    report_path: path,
    report_text: `${[...head, ...sections].join('\n\n')}\n`,
  };
}

function words(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
