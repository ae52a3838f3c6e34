/** Reads and writes `snippets.toml`, the user's own texts for new cells. */

import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse, stringify, TomlError } from 'smol-toml';
import * as z from 'zod';
import {
  MAX_SNIPPETS_BYTES,
  type OwnSnippet,
  type OwnSnippets,
  ownSnippet,
} from '../../src-shared/wire/routes/snippets.ts';
import { errnoOf, nullIfMissing, writeFileAtomic } from '../lib/atomicFile.ts';
import { createSerialRunner } from '../lib/serialRunner.ts';

const file = z.object({ snippets: z.array(ownSnippet).default([]) });

/** `snippets.toml`: the user's own texts for new cells, in a file that they can also edit directly. */
export interface SnippetFile {
  /** The current snippets; `problem` says what is wrong with the file. */
  read(): Promise<OwnSnippets>;
  /**
   * Replaces the file's snippets if it still has the digest `base`.
   * @returns the new file, or why nothing was written
   */
  write(snippets: readonly OwnSnippet[], base: string | null): Promise<OwnSnippets | { refused: string }>;
}

/** The snippets file at this path; it need not exist. */
export function createSnippetFile(path: string): SnippetFile {
  const inTurn = createSerialRunner();
  const read = async (): Promise<OwnSnippets> => {
    let bytes: Buffer | null;
    try {
      bytes = await readFile(path).catch(nullIfMissing);
    } catch (error) {
      const code = errnoOf(error);
      if (code === null) throw error;
      return { snippets: [], problem: `${path} cannot be read (${code}).`, path, sha256: null };
    }
    if (bytes === null) return { snippets: [], problem: null, path, sha256: null };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { ...parsed(bytes, path), path, sha256 };
  };
  return {
    read,
    write: (snippets, base) =>
      inTurn(async () => {
        const now = await read();
        if (now.problem !== null) return { refused: `${now.problem} Correct or remove the file first.` };
        if (now.sha256 !== base) return { refused: `${path} was changed by another program.` };
        const text = stringify({ snippets: snippets.map((one) => ({ ...one })) });
        if (Buffer.byteLength(text) > MAX_SNIPPETS_BYTES) {
          return {
            refused: `All snippets together can have at most ${MAX_SNIPPETS_BYTES / 1024 / 1024} MB.`,
          };
        }
        try {
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await writeFileAtomic(path, text, { mode: 0o600 });
        } catch (error) {
          const code = errnoOf(error);
          if (code === null) throw error;
          return { refused: `${path} cannot be written (${code}).` };
        }
        return read();
      }),
  };
}

function parsed(bytes: Buffer, path: string): Pick<OwnSnippets, 'snippets' | 'problem'> {
  const wrong = (why: string) => ({ snippets: [], problem: `${path}: ${why}` });
  if (bytes.length > MAX_SNIPPETS_BYTES)
    return wrong(`the file is larger than ${MAX_SNIPPETS_BYTES / 1024 / 1024} MB.`);
  let content: unknown;
  try {
    content = parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof TomlError) {
      const why = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
      return wrong(`line ${error.line}: ${why}.`);
    }
    if (error instanceof TypeError) return wrong('the file is not UTF-8 text.');
    throw error;
  }
  const read = file.safeParse(content);
  if (read.success) return { snippets: read.data.snippets, problem: null };
  const [issue] = read.error.issues;
  const [, nth, field] = issue?.path ?? [];
  const place =
    typeof nth === 'number'
      ? `snippet ${nth + 1}${field === undefined ? '' : `, ${String(field)}`}`
      : 'snippets';
  return wrong(`${place}: ${issue?.message ?? 'wrong'}.`);
}
