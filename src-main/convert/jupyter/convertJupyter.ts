import { randomBytes } from 'node:crypto';
import { readRequirement, requirementText } from '../../../src-shared/notebook/requirement.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Finding, FindingKind } from './findings.ts';
import { importedPackages } from './importedPackages.ts';
import { translateCell } from './translateCell.ts';

export interface ConvertedCell {
  readonly id: string;
  readonly language: Language;
  readonly source: string;
}

export interface Converted {
  readonly cells: readonly ConvertedCell[];
  /** PEP 508, in the order they were found, each package once. */
  readonly dependencies: readonly string[];
  /** Those that name an address, a path or a repository: they are not installed before the person allows it. */
  readonly waiting: readonly string[];
  readonly findings: readonly Finding[];
}

/** What lies beside the file: only a folder has it. */
export interface Beside {
  /** From requirements.txt and pyproject.toml; these win over what cells say. */
  readonly requirements: readonly string[];
  /** Whether a module of that name lies there. */
  readonly isLocal: (module: string) => boolean;
}

export const NOTHING_BESIDE: Beside = { requirements: [], isLocal: () => false };

/** What a cell may hold (semantics 13). */
const MAX_CHARACTERS = 1_000_000;
const MAX_CELLS = 10_000;

/**
 * The cells and packages of a Jupyter notebook; outputs are left behind (semantics 15).
 * @throws AppError bad_request for what is no such notebook
 */
export function convertJupyter(text: string, beside: Beside = NOTHING_BESIDE): Converted {
  const notebook = parsed(text);
  const given = cellsOf(notebook);
  const findings: Finding[] = [];
  const isR = kernelLanguage(notebook) === 'r';
  const others = kernelLanguage(notebook);
  if (isR)
    findings.push(about(null, 'warnings', 'Its kernel is R: code cells are R cells, as they were written.'));
  else if (others !== null && others !== 'python') {
    findings.push(about(null, 'warnings', `Its kernel is ${others}: its code cells were read as Python.`));
  }
  const cells: ConvertedCell[] = [];
  const taken = new Set<string>();
  for (const [at, cell] of given.entries()) {
    const made = convertCell(cell, { at, isR, findings, taken });
    if (made !== null) cells.push(made);
  }
  const python = cells.filter(({ language }) => language === 'python');
  return { cells, ...dependenciesOf(python, { beside, findings }), findings };
}

function about(cellId: string | null, kind: FindingKind, text: string): Finding {
  return { cellId, kind, text: text.length > 500 ? `${text.slice(0, 500)}…` : text };
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError('bad_request', 'This is no Jupyter notebook: the file is not JSON.');
  }
  if (isObject(value)) return value;
  throw new AppError('bad_request', 'This is no Jupyter notebook: the file holds no object.');
}

function cellsOf(notebook: JsonObject): readonly JsonObject[] {
  const { cells, worksheets } = notebook;
  if (Array.isArray(cells) && cells.every(isObject)) {
    if (cells.length <= MAX_CELLS) return cells;
    throw new AppError('bad_request', `This notebook has ${cells.length} cells; ${MAX_CELLS} is the most.`);
  }
  const old = Array.isArray(worksheets)
    ? ' It is of an old form (nbformat 3): save it once with a newer Jupyter, then import it again.'
    : '';
  throw new AppError('bad_request', `This is no Jupyter notebook of today: it has no list of cells.${old}`);
}

/** `python`, `r`, another one's name, or null where the file does not say. */
function kernelLanguage({ metadata }: JsonObject): string | null {
  if (!isObject(metadata)) return null;
  const { kernelspec, language_info: info } = metadata;
  const named = isObject(kernelspec) ? (kernelspec['language'] ?? kernelspec['name']) : null;
  const language = isObject(info) && typeof info['name'] === 'string' ? info['name'] : named;
  if (typeof language !== 'string' || language === '') return null;
  const plain = language.toLowerCase();
  if (plain === 'ir') return 'r';
  return /^(i?python|python\d)/.test(plain) ? 'python' : plain;
}

function convertCell(
  cell: JsonObject,
  options: {
    readonly at: number;
    readonly isR: boolean;
    readonly findings: Finding[];
    readonly taken: Set<string>;
  },
): ConvertedCell | null {
  const { at, isR, findings, taken } = options;
  const kind = cell['cell_type'];
  const source = textOf(cell['source']).replaceAll('\r\n', '\n').trim();
  const skip = (why: string): null => {
    findings.push(about(null, 'skipped_cells', `cell ${at + 1}: ${why}`));
    return null;
  };
  if (kind !== 'markdown' && kind !== 'code')
    return skip(typeof kind === 'string' ? kind.slice(0, 40) : 'of no kind');
  if (source === '') return skip('empty');
  if (source.length > MAX_CHARACTERS) return skip('longer than 1,000,000 characters');
  if (source.includes('\0') || !source.isWellFormed()) return skip('holds characters no text file can');
  const id = newId(taken);
  if (kind === 'markdown') {
    if (isObject(cell['attachments']) && Object.keys(cell['attachments']).length > 0) {
      const withPictures = attached(source, cell['attachments']);
      if (withPictures.length <= MAX_CHARACTERS) return { id, language: 'markdown', source: withPictures };
      findings.push(
        about(id, 'warnings', 'Its attached pictures are too large for a text cell and were left out.'),
      );
    }
    return { id, language: 'markdown', source };
  }
  if (isR) return { id, language: 'r', source };
  const note = (what: FindingKind, text: string): void => void findings.push(about(id, what, text));
  return { id, language: 'python', source: translateCell(source, note) };
}

function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  if (!Array.isArray(source)) return '';
  return source.filter((line) => typeof line === 'string').join('');
}

/** Pictures that came with a text cell, put into its text. */
function attached(source: string, attachments: JsonObject): string {
  return source.replace(/\]\(attachment:([^)\s]+)([^)]*)\)/g, (all, name: string, rest: string) => {
    const found = attachments[decoded(name)] ?? attachments[name];
    if (!isObject(found)) return all;
    for (const [type, data] of Object.entries(found)) {
      const bytes = textOf(data).replace(/\s+/g, '');
      if (/^image\/(png|jpeg|gif|webp)$/.test(type) && /^[A-Za-z0-9+/=]+$/.test(bytes)) {
        return `](data:${type};base64,${bytes}${rest})`;
      }
    }
    return all;
  });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}

const WHY_WAITS =
  'it comes from an address and not from the package index, and may run code when it is built.';

function newId(taken: Set<string>): string {
  for (;;) {
    const id = randomBytes(4).toString('hex');
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

function dependenciesOf(
  cells: readonly ConvertedCell[],
  { beside, findings }: { readonly beside: Beside; readonly findings: Finding[] },
): Pick<Converted, 'dependencies' | 'waiting'> {
  const captured = findings.filter(({ kind }) => kind === 'captured_deps').map(({ text }) => text);
  const imported = cells.flatMap(({ source }) => importedPackages(source, beside.isLocal));
  const wanted = new Map<string, string>();
  const waiting = new Map<string, string>();
  for (const text of [...beside.requirements, ...captured, ...imported]) {
    const requirement = text.length > 200 || /[\r\n]/.test(text) ? null : readRequirement(text);
    if (requirement === null) {
      findings.push(about(null, 'warnings', `\`${text}\` names no package of an index; add it by hand.`));
    } else if (!wanted.has(requirement.key) && !waiting.has(requirement.key)) {
      (requirement.url === null ? wanted : waiting).set(requirement.key, requirementText(requirement));
    }
  }
  for (const text of waiting.values()) {
    findings.push(about(null, 'warnings', `\`${text}\` is not installed until you allow it: ${WHY_WAITS}`));
  }
  return { dependencies: [...wanted.values()], waiting: [...waiting.values()] };
}
