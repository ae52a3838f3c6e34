/** Reads a secret token for a command from a file or a hidden prompt, never from an argument. */

import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './arguments.ts';

/** The file name that requests a prompt. */
const PROMPT_MARK = '-';

interface TokenSource {
  /** The option's name for messages: `--token-file`. */
  readonly flag: string;
  readonly file: string;
  /** The prompt: `Token of the worker`. */
  readonly what: string;
}

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly say: (text: string) => void;
}

const TERMINAL: Terminal = { input: process.stdin, say: (text) => void process.stderr.write(text) };

/**
 * A token from a file, or typed at a prompt in a terminal. Never from an argument, because every user of the machine
 * can see the arguments of a program and of its parents.
 * @throws UsageError if there is none
 */
export async function readToken(
  { flag, file, what }: TokenSource,
  terminal: Terminal = TERMINAL,
): Promise<string> {
  const text = file === PROMPT_MARK ? await ask(what, terminal) : await textOf(flag, file);
  const token = text.trim();
  if (token === '')
    throw new UsageError(`${flag}: ${file === PROMPT_MARK ? 'no token was entered' : `${file} is empty`}`);
  if (/[^\x20-\x7e]/.test(token))
    throw new UsageError(`${flag}: the token must be one line of printable ASCII characters`);
  return token;
}

async function textOf(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${flag}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads one line without echo. */
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
