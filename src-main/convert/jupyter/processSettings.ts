/**
 * Moves statements that change the whole process (`set_option`, seeds) to the set-up cell of an imported Jupyter
 * notebook.
 */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { ConvertedCell } from './convertedNotebook.ts';
import { type LogicalLine, logicalLines } from './logicalLines.ts';

/** Statements that change the whole process: in Jupyter they apply to all later cells. */
const SETTINGS: readonly RegExp[] = [
  /^(?:\w+\.)?set_option\(/,
  /^\w+\.options\.[\w.]+\s*=[^=]/,
  /^(?:\w+\.)?rcParams\b|^(?:plt|mpl|matplotlib|pyplot)\.rc(?:defaults)?\(/,
  /^(?:\w+\.)*style\.use\(/,
  /^(?:sns|seaborn)\.set(?:_\w+)?\(/,
  /^(?:\w+\.)?(?:set_printoptions|seterr|set_theme|set_matplotlib_formats)\(/,
  /^(?:warnings\.)?(?:filterwarnings|simplefilter)\(/,
  /^logging\.(?:basicConfig|disable)\(|^logging\.getLogger\([^)]*\)\.setLevel\(/,
  /^(?:matplotlib|mpl)\.use\(/,
  /^sys\.(?:path\.(?:append|insert|extend)\(|setrecursionlimit\()/,
  /^os\.(?:environ\s*\[[^\]]*\]\s*=[^=]|environ\.(?:update|setdefault)\(|chdir\(|putenv\()/,
  /^locale\.setlocale\(|^(?:decimal\.)?getcontext\(\)\.\w+\s*=[^=]/,
  /^torch\.(?:set_\w+|use_\w+)\(|^torch\.backends\.[\w.]+\s*=[^=]|^tf\.(?:config\.|get_logger\()/,
  /^(?:alt|altair)\.(?:data_transformers|renderers|themes|theme)\.\w+\(/,
  /^(?:pio|plotly\.io)\.[\w.]+\s*=[^=]|^(?:pl|polars)\.Config\.\w+\(|^tqdm\.pandas\(|^hv\.extension\(/,
];
const SEED = /^(?:\w+\.)*(?:seed|set_seed|set_random_seed|manual_seed|manual_seed_all|seed_everything)\(/;
const IMPORT = /^import\s|^from\s+[\w.]+\s+import\s+(?!\*)/;
const CONSTANT = /^[A-Za-z]\w*\s*=\s*(?:[^A-Za-z_]|\b(?:True|False|None)\b)*$/;

/** The settings and seeds among the statements of a cell, as written. */
export function settingsIn(source: string): {
  readonly settings: readonly string[];
  readonly seeds: readonly string[];
} {
  const statements = logicalLines(source).filter(({ isBlank }) => !isBlank);
  const texts = statements.map(({ text }) => text.trim().replace(/\s+/g, ' '));
  return {
    settings: texts.filter((text) => SETTINGS.some((pattern) => pattern.test(text))),
    seeds: texts.filter((text) => SEED.test(text)),
  };
}

function isPlain({ text, indent, bare }: LogicalLine): boolean {
  if (indent > 0) return false;
  const statement = text.trim();
  // One statement a line: after a `;` anything may follow.
  if (/;\s*\S/.test(bare.trim())) return false;
  const isSetting = SETTINGS.some((pattern) => pattern.test(statement)) || SEED.test(statement);
  return isSetting || IMPORT.test(bare.trim()) || CONSTANT.test(bare.trim());
}

/** Whether a cell only imports, sets and seeds, so that it can run at the start of every cell. */
function isSetupText(source: string): boolean {
  const statements = logicalLines(source).filter(({ isBlank }) => !isBlank);
  if (/^\s*#\s*@/m.test(source) || !statements.every(isPlain)) return false;
  const { settings, seeds } = settingsIn(source);
  return settings.length + seeds.length > 0;
}

/** Whether a cell has only comments. */
function isComments({ language, source }: ConvertedCell): boolean {
  return LANGUAGES[language].setsUp && logicalLines(source).every(({ isBlank }) => isBlank);
}

/**
 * Makes the first code cell the set-up cell if it only imports, sets and seeds. The set-up cell must be the
 * first: comment cells before it become part of it.
 */
export function withSetupCell(cells: readonly ConvertedCell[]): {
  readonly cells: readonly ConvertedCell[];
  readonly setup: string | null;
  /** Cells that were merged into the set-up cell. */
  readonly joined: ReadonlySet<string>;
} {
  const code = cells.filter(({ language }) => LANGUAGES[language].runs);
  const first = code.find((cell) => !isComments(cell));
  if (first === undefined || !LANGUAGES[first.language].setsUp || !isSetupText(first.source))
    return { cells, setup: null, joined: new Set() };
  const above = code.slice(0, code.indexOf(first)).filter(({ source }) => !/^\s*#\s*@/m.test(source));
  if (above.length < code.indexOf(first)) return { cells, setup: null, joined: new Set() };
  const source = ['# @setup', ...above.map((cell) => cell.source), first.source].join('\n');
  const joined = new Set(above.map(({ id }) => id));
  return {
    cells: cells
      .filter(({ id }) => !joined.has(id))
      .map((cell) => (cell === first ? { ...cell, source } : cell)),
    setup: first.id,
    joined,
  };
}
