/**
 * The form fields of a SQL connection while it is added or edited, and their conversion to its block of notebook.toml.
 */

import { CONNECTION_FIELDS, CONNECTION_WORDS, DRIVERS, type DriverName } from '../../words/connections.ts';

/** A connection as in notebook.toml: `name`, `driver`, `auth` and the keys of its driver. */
export type Connection = Readonly<Record<string, unknown>>;

/** A connection that is being edited: the text of each field. */
export interface ConnectionDraft {
  readonly name: string;
  readonly driver: DriverName;
  readonly credential: string;
  readonly values: Readonly<Record<string, string>>;
}

export const NEW_DRAFT: ConnectionDraft = { name: '', driver: 'duckdb', credential: '', values: {} };

export function nameOf(connection: Connection): string {
  return textOf(connection['name']);
}

/**
 * The driver of a connection; null if this program does not know it. Such a connection can be removed but not edited.
 */
export function driverOf(connection: Connection): DriverName | null {
  const name = textOf(connection['driver']);
  return DRIVERS.find((driver) => driver === name) ?? null;
}

export function draftOf(connection: Connection): ConnectionDraft {
  const driver = driverOf(connection) ?? NEW_DRAFT.driver;
  const auth = tableOf(connection['auth']);
  const values = CONNECTION_FIELDS[driver].map(({ key, secret }) => [
    key,
    textOf((secret === true ? auth : connection)[key]),
  ]);
  const credential = textOf(connection['credential']);
  return { name: nameOf(connection), driver, credential, values: Object.fromEntries(values) };
}

/** The block of a draft; fields of `before` that the form does not show are preserved. */
export function connectionOf(draft: ConnectionDraft, before: Connection | null): Connection {
  const { driver, values } = draft;
  const stays = before !== null && driverOf(before) === driver ? before : {};
  const next: Record<string, unknown> = { ...stays, name: draft.name, driver };
  const auth: Record<string, unknown> = { ...tableOf(stays['auth']) };
  const putText = (table: Record<string, unknown>, key: string, text: string): void => {
    if (text.trim() === '') delete table[key];
    else table[key] = text.trim();
  };
  for (const { key, secret } of CONNECTION_FIELDS[driver]) {
    putText(secret === true ? auth : next, key, values[key] ?? '');
  }
  putText(next, 'credential', draft.credential);
  delete next['auth'];
  return Object.keys(auth).length === 0 ? next : { ...next, auth };
}

/** The error message of each invalid field; empty if the draft can be saved. */
export function problemsOf(
  { name, driver, values, credential }: ConnectionDraft,
  usedNames: readonly string[],
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)) problems['name'] = CONNECTION_WORDS.badName;
  else if (usedNames.includes(name)) problems['name'] = CONNECTION_WORDS.takenName(name);
  // A credential may provide any field that is missing here.
  if (credential.trim() === '') {
    for (const { key, needed } of CONNECTION_FIELDS[driver]) {
      if (needed === true && (values[key] ?? '').trim() === '') problems[key] = CONNECTION_WORDS.needed;
    }
  }
  return problems;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>) // an object, not an array
    : {};
}
