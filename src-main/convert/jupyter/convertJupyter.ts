/** Converts a Jupyter notebook to cells, packages and outputs of Cellar, and collects the findings for the report. */

import { randomBytes } from 'node:crypto';
import { readRequirement, requirementText } from '../../../src-shared/notebook/requirement.ts';
import type { ImportedCell } from '../../notebook/stored/importedOutputs.ts';
import { withAttachments } from './attachments.ts';
import { usedCaptures } from './captureMagic.ts';
import { cleanCellText } from './cellText.ts';
import type { ConvertedCell, ConvertedNotebook } from './convertedNotebook.ts';
import { exportedCell } from './exportedCell.ts';
import type { Finding, FindingKind } from './findings.ts';
import { importedPackages } from './importedPackages.ts';
import { type JsonObject, textOf } from './jupyterJson.ts';
import { OutputReader } from './outputs.ts';
import { withSetupCell } from './processSettings.ts';
import { type JupyterFile, readJupyter } from './readJupyter.ts';
import { translateCell } from './translateCell.ts';

/** Facts about the folder of the Jupyter file; unknown for an uploaded file. */
export interface FolderFacts {
  /** Packages of requirements.txt and pyproject.toml; they take precedence over those in the cells. */
  readonly requirements: readonly string[];
  /** Whether a module of that name is in the folder. */
  readonly isLocal: (module: string) => boolean;
}

export const NO_FOLDER_FACTS: FolderFacts = { requirements: [], isLocal: () => false };

/** The maximum length of a cell (docs/spec/notebook-file.md, 1). */
const MAX_CHARACTERS = 1_000_000;

/**
 * The cells and packages of a Jupyter notebook, and its cells' outputs (docs/spec/export-and-import.md, 3). @throws
 * AppError bad_request for any other file
 */
export function convertJupyter(text: string, beside: FolderFacts = NO_FOLDER_FACTS): ConvertedNotebook {
  const file = readJupyter(text);
  const isR = file.kernelLanguage === 'r';
  const sources = file.cells.map((cell) => (cell['cell_type'] === 'code' ? textOf(cell['source']) : ''));
  const making: Making = {
    isR,
    findings: [...fileFindings(file)],
    taken: new Set(),
    captures: isR ? new Set() : usedCaptures(sources),
    outputs: new Map(),
    reader: new OutputReader(),
  };
  const converted: ConvertedCell[] = [];
  for (const [at, jupyterCell] of file.cells.entries()) {
    const cell = convertCell(jupyterCell, at, making);
    if (cell !== null) converted.push(cell);
  }
  const { cells, setup, joined } = withSetupCell(converted);
  const findings = making.findings.map((finding) =>
    finding.cellId !== null && joined.has(finding.cellId) ? { ...finding, cellId: setup } : finding,
  );
  const python = cells.filter(({ language }) => language === 'python');
  const outputs = new Map([...making.outputs].filter(([id]) => !joined.has(id)));
  return { cells, ...dependenciesOf(python, { beside, findings }), findings, outputs, setup };
}

function about(cellId: string | null, kind: FindingKind, text: string): Finding {
  return { cellId, kind, text: text.length > 500 ? `${text.slice(0, 500)}…` : text };
}

function fileFindings({ kernelLanguage, isPython2, oldFormat }: JupyterFile): readonly Finding[] {
  const notes: string[] = [];
  if (oldFormat !== null) notes.push(`The file has an old format (nbformat ${oldFormat}) and was converted.`);
  if (kernelLanguage === 'r') notes.push('Its kernel is R, so its code cells are R cells.');
  else if (kernelLanguage !== null && kernelLanguage !== 'python')
    notes.push(`Its kernel is ${kernelLanguage}. Its code cells were imported as Python.`);
  if (isPython2)
    notes.push('Its kernel is Python 2, but cells here use Python 3. Check each cell before you run it.');
  return notes.map((text) => about(null, 'warnings', text));
}

/** The results collected while the cells of a file are converted. */
interface Making {
  readonly isR: boolean;
  readonly findings: Finding[];
  readonly taken: Set<string>;
  readonly captures: ReadonlySet<string>;
  readonly outputs: Map<string, ImportedCell>;
  readonly reader: OutputReader;
}

function convertCell(cell: JsonObject, at: number, making: Making): ConvertedCell | null {
  const { isR, findings, taken, captures } = making;
  const kind = cell['cell_type'];
  const source = cleaned(textOf(cell['source']), kind === 'code' && !isR);
  const skip = (why: string): null => {
    findings.push(about(null, 'skipped_cells', `cell ${at + 1}: ${why}`));
    return null;
  };
  const exported = exportedCell(cell['metadata'], source);
  if (exported === null && kind !== 'markdown' && kind !== 'code')
    return skip(typeof kind === 'string' ? kind.slice(0, 40) : 'without a cell type');
  if (source === '') return skip('empty');
  if (source.length > MAX_CHARACTERS) return skip('longer than 1,000,000 characters');
  if (source.includes('\0') || !source.isWellFormed())
    return skip('contains characters that a text file can’t');
  const id = newId(taken);
  const note = (what: FindingKind, text: string): void => void findings.push(about(id, what, text));
  if (kind === 'markdown')
    return { id, language: 'markdown', source: pictured(source, cell['attachments'], note) };
  const outputs = making.reader.read(cell['outputs']);
  if (outputs !== null) making.outputs.set(id, outputs);
  if (exported !== null) return { id, ...exported };
  if (isR) return { id, language: 'r', source };
  return { id, language: 'python', source: translateCell(source, { note, captures }) };
}

/** Trimmed; for Python, the indentation of the first line is removed from every line. */
function cleaned(text: string, isPython: boolean): string {
  return isPython ? cleanCellText(text).trim() : text.replaceAll('\r\n', '\n').trim();
}

function pictured(
  source: string,
  attachments: unknown,
  note: (kind: FindingKind, text: string) => void,
): string {
  const { source: output, missing } = withAttachments(source, attachments);
  for (const name of missing)
    note(
      'warnings',
      `The attached picture \`${name}\` is missing from the file, or is not a PNG, JPEG, GIF or WebP.`,
    );
  if (output.length <= MAX_CHARACTERS) return output;
  note('warnings', 'Its attached images are too large for a text cell and were omitted.');
  return source;
}

const WHY_WAITS = 'it comes from a URL instead of the package index and may run code when it is built.';

function newId(usedIds: Set<string>): string {
  for (;;) {
    const id = randomBytes(4).toString('hex');
    if (usedIds.has(id)) continue;
    usedIds.add(id);
    return id;
  }
}

function dependenciesOf(
  cells: readonly ConvertedCell[],
  { beside, findings }: { readonly beside: FolderFacts; readonly findings: Finding[] },
): Pick<ConvertedNotebook, 'dependencies' | 'waiting'> {
  const captured = findings.filter(({ kind }) => kind === 'captured_deps').map(({ text }) => text);
  const imported = cells.flatMap(({ source }) => importedPackages(source, beside.isLocal));
  const packages = new Map<string, string>();
  const waiting = new Map<string, string>();
  for (const text of [...beside.requirements, ...captured, ...imported]) {
    const requirement = text.length > 200 || /[\r\n]/.test(text) ? null : readRequirement(text);
    if (requirement === null) {
      findings.push(about(null, 'warnings', `\`${text}\` is not a package of an index. Add it manually.`));
    } else if (!packages.has(requirement.key) && !waiting.has(requirement.key)) {
      (requirement.url === null ? packages : waiting).set(requirement.key, requirementText(requirement));
    }
  }
  for (const text of waiting.values()) {
    findings.push(about(null, 'warnings', `\`${text}\` is not installed until you allow it: ${WHY_WAITS}`));
  }
  return { dependencies: [...packages.values()], waiting: [...waiting.values()] };
}
