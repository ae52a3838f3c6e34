/** Parses the text of notebook.toml and edits it in place, without changing anything else in it. */

import { parse } from 'smol-toml';
import { planSplices } from './tomlEdits.ts';
import { TomlEditError, type TomlOp, type TomlPath } from './tomlOp.ts';
import { applySplices } from './tomlSplice.ts';
import { asRead, isTable, sameValue, type TomlRecord, valueAt } from './tomlValue.ts';

/**
 * Parses a TOML text (without BOM). Integers too large for a double are returned as bigint. @throws TomlError
 */
export function parseToml(text: string): TomlRecord {
  return parse(text, { integersAsBigInt: 'asNeeded' });
}

/** A TOML text (without BOM) with its parsed content. */
export interface TomlDocument {
  readonly text: string;
  readonly document: TomlRecord;
}

/**
 * Applies edits to a TOML text by splicing: comments, key order, formatting and every byte outside the edited
 * keys are kept. The result is parsed and compared with the edited value, so a text that cannot be edited
 * gives an error, never a wrong file. @throws TomlEditError when the edits cannot be expressed in this
 * document
 */
export function patchToml(before: TomlDocument, ops: readonly TomlOp[]): TomlDocument {
  if (ops.length === 0) return before;
  const text = applySplices(before.text, planSplices(before.text, before.document, ops));
  const document = parseToml(text);
  const edited = editedValue(before.document, ops);
  // Nearly always they are identical, and comparing needs no copies.
  if (sameValue(document, edited))
    return { text, document: keepUntouched(before.document, { document, edited }) };
  if (!readsAs(document, edited, ops)) {
    throw new TomlEditError('this TOML text could not be edited without changing something else');
  }
  return { text, document };
}

/**
 * The document after an edit, in which list tables without a change are the objects from before: values
 * derived from them stay valid, so an edit of one cell need not read a large notebook again. @param after two
 * equal readings: as parsed, and as edited, which shares the unchanged parts with `before`
 */
function keepUntouched(
  before: TomlRecord,
  after: { readonly document: TomlRecord; readonly edited: TomlRecord },
): TomlRecord {
  const entries = Object.entries(after.document).map(([key, list]) => {
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    const edited = after.edited[key];
    if (!(Array.isArray(list) && Array.isArray(was) && Array.isArray(edited))) return [key, list] as const;
    const untouched = new Set<unknown>(was.filter(isTable));
    return [key, list.map((item, at) => (untouched.has(edited[at]) ? edited[at] : item))] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * True when a document has the edited value. A list or table whose last member an edit removed may be
 * missing: `[[cells]]` and `a.b = 1` cannot be written empty.
 */
export function readsAs(actual: TomlRecord, edited: TomlRecord, ops: readonly TomlOp[]): boolean {
  if (sameValue(actual, edited)) return true;
  const editedKeys = new Set(ops.map((op) => String(op.path[0])));
  const comparable = (document: TomlRecord) =>
    Object.fromEntries(
      Object.entries(document)
        .map(([key, value]) => [key, editedKeys.has(key) ? withoutEmpties(value) : value] as const)
        .filter(([key, value]) => !editedKeys.has(key) || !isEmpty(value)),
    );
  return sameValue(comparable(actual), comparable(edited));
}

function withoutEmpties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpties);
  if (!isTable(value)) return value;
  const members = Object.entries(value).map(([key, item]) => [key, withoutEmpties(item)] as const);
  return Object.fromEntries(members.filter(([, item]) => !isEmpty(item)));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isTable(value) && Object.keys(value).length === 0;
}

/** The document after the edits, computed on its values: the result {@link patchToml} must produce. */
export function editedValue(document: TomlRecord, ops: readonly TomlOp[]): TomlRecord {
  const root = copyAlong(
    document,
    ops.map(({ path }) => path),
  );
  // Inserts and removals shift indices: apply them last, back to front.
  for (const op of ops) if (op.op === 'set') putAt(root, op.path, asRead(op.value));
  const inserts = ops.filter((op) => op.op === 'insert').toReversed();
  for (const op of inserts.toSorted((a, b) => b.index - a.index)) {
    const existing = valueAt(root, op.path);
    const array: unknown[] = Array.isArray(existing) ? existing : [];
    array.splice(op.index, 0, asRead(op.value));
    putAt(root, op.path, array);
  }
  const removals = ops.filter((op) => op.op === 'remove');
  for (const { path } of removals.toSorted((a, b) => Number(b.path.at(-1)) - Number(a.path.at(-1)))) {
    const container = valueAt(root, path.slice(0, -1));
    const key = path.at(-1) ?? '';
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else if (isTable(container)) delete (container as Record<string, unknown>)[key];
  }
  return root;
}

function putAt(root: Record<string, unknown>, path: TomlPath, value: unknown): void {
  const container = valueAt(root, path.slice(0, -1));
  if (typeof container !== 'object' || container === null)
    throw new TomlEditError(`nothing to edit at ${path.join('.')}`);
  // defineProperty, so that a key called __proto__ is an ordinary key.
  Object.defineProperty(container, path.at(-1) ?? '', {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** A copy whose containers along the paths are new; the rest, which no edit changes, is shared. */
function copyAlong(document: TomlRecord, paths: readonly TomlPath[]): Record<string, unknown> {
  const root = Object.fromEntries(Object.entries(document));
  const own = new Set<unknown>();
  for (const path of paths) {
    path.forEach((_key, at) => {
      const here = path.slice(0, at + 1);
      const member = valueAt(root, here);
      if (own.has(member) || !(Array.isArray(member) || isTable(member))) return;
      const copy = Array.isArray(member) ? [...member] : Object.fromEntries(Object.entries(member));
      own.add(copy);
      putAt(root, here, copy);
    });
  }
  return root;
}
