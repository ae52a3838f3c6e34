/** Converts bound values to SQLite's types, and errors of SQLite to SqlErrors. */

import type { BindValue } from '../bindValue.ts';
import { SqlError } from '../sqlError.ts';

/**
 * A value for SQLite, which only has whole numbers, floats, text and bytes. True is 1; dates, decimals and UUIDs are
 * text in the ISO or Python format.
 */
export function sqliteBind(bind: BindValue): null | bigint | number | string | Buffer {
  switch (bind.type) {
    case 'bool':
      return bind.value ? 1n : 0n;
    case 'bytes':
      return Buffer.from(bind.value);
    case 'timestamp':
      return bind.value.replace('T', ' ').replace(/Z$/, '+00:00');
    default:
      return bind.value;
  }
}

/**
 * An error with SQLite's message and code. SQLite gives no position, so the word it reports is searched in the text.
 */
export function sqliteError(error: unknown, doing: string | null, sql: string | null = null): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof SqlError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const isSqlite = error.name === 'SqliteError';
  if (!isSqlite && !(error instanceof TypeError) && !(error instanceof RangeError)) return error;
  const message = doing === null ? error.message : `${doing}: ${error.message}`;
  return new SqlError(message, {
    code,
    hint: hintOf(code, error.message),
    position: sql === null ? null : positionOfWord(error.message, sql),
    cause: error,
  });
}

const HINTS: readonly (readonly [code: RegExp, message: RegExp, hint: string])[] = [
  [
    /^SQLITE_(BUSY|LOCKED)/,
    /./,
    'Another program is writing to this file. Try again when it is done, or let the cell wait longer: set timeout = 60 (seconds) under options of the connection.',
  ],
  [
    /^SQLITE_NOTADB/,
    /./,
    'This is not an SQLite file, or it is encrypted. Check the path of the connection.',
  ],
  [/^SQLITE_CORRUPT/, /./, 'The file is damaged. Restore it from a backup.'],
  [
    /^SQLITE_ERROR/,
    /within a transaction|no transaction is active/,
    'All statements of a writing cell already run in one transaction. Remove BEGIN, COMMIT and ROLLBACK.',
  ],
];

function hintOf(code: string | null, message: string): string | null {
  const match = HINTS.find(([codes, words]) => code !== null && codes.test(code) && words.test(message));
  return match?.[2] ?? null;
}

const REPORTED_WORD = [
  /near "(.*)": syntax error/s,
  /no such (?:column|table|function): (?:\w+\.)*(\S+)/,
  /unrecognized token: "(.*)"/s,
];

function positionOfWord(message: string, sql: string): number | null {
  for (const pattern of REPORTED_WORD) {
    const word = pattern.exec(message)?.[1];
    if (word === undefined || word === '') continue;
    // Only a word that occurs once identifies the position.
    const at = sql.indexOf(word);
    if (at !== -1 && sql.indexOf(word, at + 1) === -1) return at;
  }
  return null;
}
