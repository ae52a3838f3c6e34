/** Reads and appends the file with the versions of one cell's text, for the local history. */

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { errnoOf } from '../../lib/atomicFile.ts';
import { READ_LIMITS } from '../../lib/guardedFolder/limits.ts';
import type { Target } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { openInPlace, replaceFile } from '../../lib/guardedFolder/replace.ts';
import { writeAllAt } from '../../lib/openFile.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';

/**
 * One file of a cell's local history: a line of JSON per version, oldest first, append-only. The first line
 * with a text contains it; later versions with the same text refer to it by its digest. A kill in the middle
 * of a write leaves an incomplete line at the end, which the next reader cuts off. Other unreadable lines are
 * set aside in a separate file, and the other versions remain usable.
 */
const versionLine = z.object({
  at: z.number(),
  /** `edit`: saved here; `outside`: written by another program; `deleted`: the cell's last text. */
  why: z.enum(['edit', 'outside', 'deleted']),
  author: z.string().nullable(),
  /** The digest of the text: SHA-256, hex. */
  sha: z.string().regex(/^[0-9a-f]{64}$/),
  lines: z.number().int(),
  /** The text, deflated and in base64; absent if an earlier line has it. */
  z: z.string().optional(),
});
type VersionLine = z.infer<typeof versionLine>;

/** One version of a cell’s text. */
export interface CellVersion {
  /** Identifies it within its cell. */
  readonly id: string;
  readonly atMs: number;
  readonly why: VersionLine['why'];
  readonly author: string | null;
  readonly sha: string;
  readonly lines: number;
}

/** A cell's file as read. `damaged` is the number of unreadable versions. */
export interface VersionFile {
  readonly lines: readonly VersionLine[];
  readonly texts: ReadonlyMap<string, string>;
  readonly damaged: number;
  /** Bytes up to the end of the last complete line. */
  readonly wholeBytes: number;
}

const NOTHING: VersionFile = { lines: [], texts: new Map(), damaged: 0, wholeBytes: 0 };
/** Far larger than any valid text: a cell has a million characters at most. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function toVersion(line: VersionLine): CellVersion {
  const { at, why, author, sha, lines } = line;
  return { id: `${at}-${sha.slice(0, 12)}`, atMs: at, why, author, sha, lines };
}

/** The line of a text; `known` if an earlier line of the file has it. */
export function lineOf(
  version: { readonly atMs: number; readonly why: VersionLine['why']; readonly author: string | null },
  text: string,
  isKnown: boolean,
): VersionLine {
  const { atMs, why, author } = version;
  const line = {
    at: atMs,
    why,
    author,
    sha: digestOf(text),
    lines: text === '' ? 0 : text.split('\n').length,
  };
  return isKnown ? line : { ...line, z: deflateRawSync(text).toString('base64') };
}

/** Reads a file; a missing one has no versions. */
export async function readVersions(place: Target): Promise<VersionFile> {
  try {
    return parseVersions(await readFileAt(place, { maxBytes: READ_LIMITS.history }));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return NOTHING;
    if (error instanceof PlaceRefusal) return { ...NOTHING, damaged: 1 };
    throw error;
  }
}

function parseVersions(bytes: Buffer): VersionFile {
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines: VersionLine[] = [];
  const texts = new Map<string, string>();
  let damaged = 0;
  for (const raw of bytes.subarray(0, wholeBytes).toString('utf8').split('\n')) {
    if (raw === '') continue;
    const line = versionLine.safeParse(tryParseJson(raw));
    const text = line.success ? (texts.get(line.data.sha) ?? textOf(line.data)) : null;
    if (!line.success || text === null) {
      damaged += 1;
      continue;
    }
    texts.set(line.data.sha, text);
    lines.push(line.data);
  }
  return { lines, texts, damaged, wholeBytes };
}

/** The text of a line, or null if its bytes are damaged. */
function textOf({ z: packed, sha }: VersionLine): string | null {
  if (packed === undefined) return null;
  try {
    const bytes = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_TEXT_BYTES });
    const text = bytes.toString('utf8');
    return digestOf(text) === sha ? text : null;
  } catch (error) {
    if (errnoOf(error) !== null) return null;
    throw error;
  }
}

/**
 * Appends lines, replacing an incomplete last one. On failure (a full disk) the file is truncated to its
 * previous length. @returns the bytes of the file, or null if it is shorter than expected: nothing was
 * written then
 */
export async function appendVersions(
  place: Target,
  wholeBytes: number,
  lines: readonly VersionLine[],
): Promise<number | null> {
  const bytes = Buffer.from(textOfLines(lines));
  const file = openInPlace(place);
  try {
    if (fstatSync(file).size < wholeBytes) return null;
    ftruncateSync(file, wholeBytes);
    try {
      await writeAllAt(file, bytes, wholeBytes);
    } catch (error) {
      ftruncateSync(file, wholeBytes);
      throw error;
    }
  } finally {
    closeSync(file);
  }
  return wholeBytes + bytes.length;
}

/** Rewrites the whole file, each text in the first line that refers to it. */
export async function rewriteVersions(
  place: Target,
  file: Pick<VersionFile, 'lines' | 'texts'>,
): Promise<VersionFile> {
  const written = new Set<string>();
  const lines = file.lines.map((line) => {
    const text = file.texts.get(line.sha) ?? '';
    const isKnown = written.has(line.sha);
    written.add(line.sha);
    return lineOf({ atMs: line.at, why: line.why, author: line.author }, text, isKnown);
  });
  const data = textOfLines(lines);
  await replaceFile(place, data, { mode: 0o600 });
  const texts = new Map([...file.texts].filter(([sha]) => written.has(sha)));
  return { lines, texts, damaged: 0, wholeBytes: Buffer.byteLength(data) };
}

function textOfLines(lines: readonly VersionLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
