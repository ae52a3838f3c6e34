/**
 * The command `svc validate DIR`: reads and analyses the notebook of a folder, prints its problems, and runs nothing.
 * Warnings do not change exit code 0 (docs/spec/command-line.md, 2).
 */

import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { defineCommand, formatOf, HUMAN_FORMAT, onlyFolder } from '../arguments.ts';
import type { FolderReport } from './inspectFolder.ts';

export const validate = defineCommand({
  usage: 'DIR',
  options: { format: HUMAN_FORMAT },
  async run({ values, positionals }) {
    const format = formatOf(values.format);
    const dir = notebookFolder(onlyFolder(positionals, 'validate'));
    // Not for help and wrong usage [AR-63].
    const { inspectFolder } = await import('./inspectFolder.ts');
    const report = await inspectFolder(dir);
    if (format === 'json') process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else printHuman(report);
    return report.valid ? 0 : 1;
  },
});

function printHuman(report: FolderReport): void {
  const lines = report.errors.map(({ code, message }) => `error  ${code}: ${message}`);
  for (const cell of report.cells) {
    for (const { severity, code, message, line } of cell.diagnostics) {
      lines.push(`${severity.padEnd(5)}  ${cell.id}${line === null ? '' : `:${line}`}  ${code}: ${message}`);
    }
  }
  const { cells, errors, warnings } = report.summary;
  lines.push(`${report.notebook}: ${cells} cells, ${errors} errors, ${warnings} warnings`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
