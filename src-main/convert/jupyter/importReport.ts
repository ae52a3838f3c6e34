import type { JupyterReport } from '../../../src-shared/wire/routes/transfer.ts';
import type { Converted } from './convertJupyter.ts';
import type { FindingKind } from './findings.ts';

const TITLES: readonly (readonly [kind: FindingKind, title: string])[] = [
  ['warnings', 'To look at'],
  ['dropped_shells', 'Not run: shell commands'],
  ['dropped_magics', 'Left out: magics without a counterpart'],
  ['translated_magics', 'Translated magics'],
  ['captured_deps', 'Packages taken from install commands'],
  ['skipped_cells', 'Cells left out'],
];

/** The report of an import; `more` are warnings that came up when the notebook was opened. */
export function importReport(
  converted: Converted,
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
  /** A person counts cells; the id is what the file of the cell is called. */
  const placeOf = (cellId: string): string =>
    `cell ${converted.cells.findIndex(({ id }) => id === cellId) + 1} (${cellId})`;
  const of = (kind: FindingKind) => findings.filter((one) => one.kind === kind).map(({ text }) => text);
  const counts = {
    markdown_cells: converted.cells.filter(({ language }) => language === 'markdown').length,
    code_cells: converted.cells.filter(({ language }) => language !== 'markdown').length,
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
    `${words(counts.code_cells, 'code cell')} and ${words(counts.markdown_cells, 'text cell')} were imported. Outputs are not: run the notebook to make them.`,
    ...(counts.suppressed_outputs === 0
      ? []
      : [`${words(counts.suppressed_outputs, 'cell')} that ended with \`;\` still show nothing.`]),
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
