/** Text cells with pictures and values filled in, for exports. */

import { readFile } from 'node:fs/promises';
import { parseStoredJson } from '../../../src-shared/notebook/storedJson.ts';
import { valueInText, valueNames } from '../../../src-shared/notebook/textValues.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { readPicture } from '../../notebook/pictureFile.ts';
import type { ExportView } from '../exportView.ts';
import { codeLines, plainText } from './markdownText.ts';

/** Maximum size of a value that is filled in, as in the window: larger values are not part of a sentence. */
const MAX_VALUE_BYTES = 2_048;
/** Maximum size of a picture when the export sets no limit. */
const MAX_PICTURE_BYTES = 32 * 1024 ** 2;

/** Code spans first, so that nothing inside them is taken for a picture or a value. */
const PARTS =
  /(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|(!\[[^\]\n]*\]\()(<[^>\n]+>|[^\s)]+)((?:\s+"[^"\n]*")?\))|\{\{[ \t]*([\p{L}_][\p{L}\p{N}_]*)[ \t]*\}\}/gu;

/**
 * The Markdown of a text cell as the window shows it, in one piece: pictures of the notebook's folder become `data:`
 * URLs, and `{{ name }}` the value that a cell stored. What is missing or too large stays as it is written.
 * @param most limit of one picture in bytes; 0: no limit of its own
 */
export async function filledText(view: ExportView, source: string, most: number): Promise<string> {
  if (!source.includes('![') && !source.includes('{{')) return source;
  const lines = source.replaceAll('\r\n', '\n').split('\n');
  const isCode = codeLines(lines);
  const written = lines.filter((_, at) => !isCode.has(at)).join('\n');
  const [values, pictures] = await Promise.all([
    valuesIn(view, valueNames(written)),
    picturesIn(view, written, most),
  ]);
  const filled = (line: string): string =>
    line.replace(PARTS, (all, _ticks, start: string, target: string, end: string, name: string) => {
      if (name !== undefined) return values.get(name) ?? all;
      const address = target === undefined ? undefined : pictures.get(pathOf(target));
      return address === undefined ? all : `${start}${address}${end}`;
    });
  return lines.map((line, at) => (isCode.has(at) ? line : filled(line))).join('\n');
}

async function valuesIn(view: ExportView, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const name of names) {
    const text = await valueText(view, storedRow(view, name));
    if (text !== null) values.set(name, plainText(text));
  }
  return values;
}

/** The stored value of a variable, of the cell that defines it. */
function storedRow(view: ExportView, name: string): ArtifactRow | null {
  const cell = view.cells.find(
    ({ cell, stored }) => cell.variant_active && cell.defines.includes(name) && Object.hasOwn(stored, name),
  );
  return cell?.stored[name]?.[0] ?? null;
}

async function valueText(view: ExportView, row: ArtifactRow | null): Promise<string | null> {
  if (row === null) return null;
  if (row.rowCount !== null) return `${row.rowCount.toLocaleString('en-US')} rows`;
  if (row.contentType !== 'json/object' || row.byteSize > MAX_VALUE_BYTES) return null;
  const blob = await view.store.readable(row);
  if (blob.kind !== 'ok') return null;
  try {
    return valueInText(parseStoredJson(await readFile(blob.path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function picturesIn(
  view: ExportView,
  text: string,
  most: number,
): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>();
  const targets = [...text.matchAll(PARTS)].flatMap(([, , , target]) => target ?? []);
  const limit = most === 0 ? MAX_PICTURE_BYTES : Math.min(most, MAX_PICTURE_BYTES);
  for (const path of new Set(targets.map(pathOf))) {
    // A URL with a scheme, of a server or of the page.
    if (/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(path)) continue;
    try {
      const { type, bytes } = await readPicture(view.dir, path, limit);
      pictures.set(path, `data:${type};base64,${bytes.toString('base64')}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return pictures;
}

/** The path in the target of a link, `<images/a b.png>` or `images/a%20b.png`. */
function pathOf(target: string): string {
  const plain = target.startsWith('<') ? target.slice(1, -1) : target;
  try {
    return decodeURIComponent(plain);
  } catch (_malformed) {
    return plain;
  }
}
