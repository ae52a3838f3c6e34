import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './arguments.ts';

/** Instead of the name of a file: the token is asked for. */
export const ASK = '-';

export interface TokenSource {
  /** The option, for words: `--token-file`. */
  readonly flag: string;
  readonly file: string;
  /** What is asked for: `Token of the worker`. */
  readonly what: string;
}

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly say: (text: string) => void;
}

const TERMINAL: Terminal = { input: process.stdin, say: (text) => void process.stderr.write(text) };

/**
 * A token from a file, or typed where a terminal asks for it. Never from an argument: every user of the machine sees
 * those of a program and of what started it.
 * @throws UsageError where there is none
 */
export async function readToken(
  { flag, file, what }: TokenSource,
  terminal: Terminal = TERMINAL,
): Promise<string> {
  const text = file === ASK ? await ask(what, terminal) : await textOf(flag, file);
  const token = text.trim();
  if (token === '')
    throw new UsageError(`${flag}: ${file === ASK ? 'no token was entered' : `${file} is empty`}`);
  if (/[^\x20-\x7e]/.test(token))
    throw new UsageError(`${flag}: the token may hold one line of printable ASCII characters only`);
  return token;
}

async function textOf(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${flag}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** One line; what is typed is not shown. */
async function ask(what: string, { input, say }: Terminal): Promise<string> {
  const terminal = input.isTTY === true;
  if (terminal) say(`${what}: `);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output, terminal });
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => lines.close());
      lines.once('close', () => resolve(''));
    });
  } finally {
    lines.close();
    if (terminal) say('\n');
  }
}
