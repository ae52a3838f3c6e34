/** Computes the differences between two stored values, as tables, texts or images, for the window. */

import type { Comparison } from '../../../src-shared/wire/routes/comparison.ts';
import { openHandle } from '../../lib/guardedFolder/read.ts';
import { compareTables, type MatchBy, type TableComparison } from '../../table/query/compareTables.ts';
import type { TablePart } from '../../table/query/matchRows.ts';
import type { TableFile } from '../../table/service/tableQuery.ts';
import type { HandlerContext } from './notebooks.ts';

type Tables = HandlerContext['tables'];

/** A stored value with its bytes in a file. */
export interface StoredFile extends TableFile {
  readonly contentType: string;
}

interface Pair {
  readonly before: StoredFile;
  readonly after: StoredFile;
}

interface Options {
  readonly tables: Tables;
  /** How rows of tables are matched. */
  readonly by: MatchBy;
}

/** Longer texts are not compared: a difference of that size is not readable. */
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_IMAGE_BYTES = 1024 * 1024;
/** Rows compared in each table, in pages of the table thread's size. */
const MAX_ROWS = 5_000;
const PAGE_ROWS = 500;
/** Values compared in each table; wide tables get fewer rows. */
const MAX_VALUES = 200_000;

/** The differences between two stored values, in the form that their type allows. */
export async function comparisonOf(pair: Pair, { tables, by }: Options): Promise<Comparison> {
  const { before, after } = pair;
  if (before.sha256 === after.sha256 && before.contentType === after.contentType) return { kind: 'same' };
  if (before.contentType !== after.contentType) {
    return { kind: 'other', reason: `It was ${before.contentType} and is ${after.contentType}.` };
  }
  if (before.contentType === 'arrow/ipc') return tablesOf(pair, { tables, by });
  if (before.contentType === 'json/object') return textsOf(pair, oneValuePerLine);
  if (/^text\/|^image\/svg/.test(before.contentType)) return textsOf(pair, (text) => text);
  if (/^image\/(png|jpeg)$/.test(before.contentType)) return imagesOf(pair);
  return { kind: 'other', reason: 'These values can be read only in Python.' };
}

async function tablesOf({ before, after }: Pair, { tables, by }: Options): Promise<Comparison> {
  const [was, is] = await Promise.all([firstRows(before, tables), firstRows(after, tables)]);
  if (was === null || is === null) return { kind: 'other', reason: 'These values are not tables.' };
  const comparison = compareTables(was, is, by);
  return {
    kind: 'table',
    rows: { before: was.total, after: is.total },
    columns_added: [...comparison.columnsAdded],
    columns_removed: [...comparison.columnsRemoved],
    differences: [...comparison.differences],
    rows_compared: comparison.rowsCompared,
    ...(by === 'position' ? {} : { by_key: keyFacts(comparison) }),
  };
}

function keyFacts({ key, keys, rowsAdded, rowsRemoved }: TableComparison) {
  return {
    column: key,
    columns: [...keys],
    added: { ...rowsAdded, first: [...rowsAdded.first] },
    removed: { ...rowsRemoved, first: [...rowsRemoved.first] },
  };
}

/** The first rows of a table, page by page. */
async function firstRows(file: TableFile, tables: Tables): Promise<TablePart | null> {
  const rows: TablePart['rows'][number][] = [];
  for (;;) {
    const page = await tables.page({
      path: file.path,
      sha256: file.sha256,
      offset: rows.length,
      limit: PAGE_ROWS,
    });
    if (!page.pageable) return null;
    rows.push(...page.rows);
    const enough = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / Math.max(1, page.columns.length)));
    if (page.rows.length === 0 || rows.length >= Math.min(enough, page.total)) {
      return { columns: page.columns, rows, total: page.total };
    }
  }
}

async function textsOf({ before, after }: Pair, shape: (text: string) => string): Promise<Comparison> {
  const [was, is] = await Promise.all([bytesOf(before, MAX_TEXT_BYTES), bytesOf(after, MAX_TEXT_BYTES)]);
  if (was === null || is === null) return { kind: 'other', reason: 'The values are too long to compare.' };
  return { kind: 'text', before: shape(was.toString('utf8')), after: shape(is.toString('utf8')) };
}

async function imagesOf({ before, after }: Pair): Promise<Comparison> {
  const [was, is] = await Promise.all([bytesOf(before, MAX_IMAGE_BYTES), bytesOf(after, MAX_IMAGE_BYTES)]);
  if (was === null || is === null) return { kind: 'other', reason: 'The values are too large to compare.' };
  return { kind: 'image', before: was.toString('base64'), after: is.toString('base64') };
}

/** Null if the file is larger. */
async function bytesOf({ path }: StoredFile, most: number): Promise<Buffer | null> {
  const file = await openHandle(path);
  try {
    return (await file.stat()).size > most ? null : await file.readFile();
  } finally {
    await file.close();
  }
}

/** Strings first, so that their content is not split. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/**
 * JSON with one value per line. Not parsed, because Python's NaN and long integers are not valid JSON for us and must
 * stay unchanged.
 */
export function oneValuePerLine(json: string): string {
  let depth = 0;
  let text = '';
  const tokens = json.match(TOKEN) ?? [];
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [at, token] of tokens.entries()) {
    const isEmpty = (token === '[' || token === '{') && /^[\]}]$/.test(tokens[at + 1] ?? '');
    if (token === '[' || token === '{') {
      depth += 1;
      text += isEmpty ? token : token + line();
    } else if (token === ']' || token === '}') {
      depth -= 1;
      text += /[[{]$/.test(tokens[at - 1] ?? '') ? token : line() + token;
    } else if (token === ',') text += token + line();
    else text += token === ':' ? ': ' : token;
  }
  return text;
}
