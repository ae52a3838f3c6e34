/** Plans replacements in a TOML text for edits of its content; the rest of the text stays byte for byte. */

import { TomlEditError, type TomlOp, type TomlPath } from './tomlOp.ts';
import type { InlineTableSpan } from './tomlScan.ts';
import { eolOf, type ListEdit, listSplices, type Splice } from './tomlSplice.ts';
import {
  type ListNode,
  nodeAt,
  type Slot,
  sectionsOf,
  type TableNode,
  type TomlNode,
  treeOf,
} from './tomlTree.ts';
import {
  asRead,
  formatKey,
  formatValue,
  isTable,
  sameValue,
  type TomlRecord,
  type TomlValue,
  valueAt,
} from './tomlValue.ts';

interface Plan {
  readonly text: string;
  readonly eol: string;
  readonly document: TomlRecord;
  readonly root: TableNode;
  readonly splices: Splice[];
  /** Inline tables and arrays whose commas must stay valid, by the offset of their opening bracket. */
  readonly lists: Map<number, ListEdit>;
}

type TableValue = Readonly<Record<string, TomlValue>>;

/** Turns edits into replacements in the text. @throws TomlEditError when a path does not exist */
export function planSplices(text: string, document: TomlRecord, ops: readonly TomlOp[]): readonly Splice[] {
  const plan: Plan = { text, eol: eolOf(text), document, root: treeOf(text), splices: [], lists: new Map() };
  for (const op of ops) {
    if (op.op === 'set') setAt(plan, op.path, op.value);
    else if (op.op === 'remove') removeAt(plan, op.path);
    else insertAt(plan, op.path, { index: op.index, value: op.value });
  }
  return [...plan.splices, ...[...plan.lists.values()].flatMap(listSplices)];
}

function setAt(plan: Plan, path: TomlPath, value: TomlValue): void {
  const node = nodeAt(plan.root, path);
  if (node === null) addKey(plan, path, value);
  else if (node.kind === 'table' && isTableValue(value)) mergeTable(plan, path, { node, value });
  else if (isTableList(value) && tableCount(node) !== null) mergeTables(plan, path, value);
  else if (!sameValue(valueAt(plan.document, path), asRead(value))) replace(plan, path, { node, value });
}

function mergeTable(
  plan: Plan,
  path: TomlPath,
  { node, value }: { node: TableNode; value: TableValue },
): void {
  for (const key of node.children.keys()) if (!Object.hasOwn(value, key)) removeAt(plan, [...path, key]);
  for (const [key, item] of Object.entries(value)) setAt(plan, [...path, key], item);
}

function mergeTables(plan: Plan, path: TomlPath, value: readonly TableValue[]): void {
  const node = nodeAt(plan.root, path);
  const count = (node === null ? null : tableCount(node)) ?? 0;
  value.slice(0, count).forEach((item, index) => {
    setAt(plan, [...path, index], item);
  });
  for (let index = value.length; index < count; index += 1) removeAt(plan, [...path, index]);
  for (const item of value.slice(count)) insertAt(plan, path, { index: count, value: item });
}

function replace(plan: Plan, path: TomlPath, { node, value }: { node: TomlNode; value: TomlValue }): void {
  const span = spanOf(node);
  if (span !== null) plan.splices.push({ start: span.start, end: span.end, text: formatValue(value) });
  else {
    removeAt(plan, path);
    addKey(plan, path, value);
  }
}

function addKey(plan: Plan, path: TomlPath, value: TomlValue): void {
  const parent = nodeAt(plan.root, path.slice(0, -1));
  const key = path.at(-1);
  if (parent?.kind !== 'table' || typeof key !== 'string')
    throw new TomlEditError(`no table to put ${path.join('.')} into`);
  const pair = `${formatKey(key)} = ${formatValue(value)}`;
  const { home } = parent;
  if (parent === plan.root && isTableValue(value)) addSection(plan, headerOf(path), value);
  else if (parent === plan.root && isTableList(value) && value.length > 0) {
    for (const item of value) addSection(plan, arrayHeaderOf(path), item);
  } else if (home.kind === 'section') {
    const last = home.section.entries.at(-1);
    const indent = last === undefined ? '' : plan.text.slice(last.lineStart, last.start);
    addLine(plan, last?.lineEnd ?? home.section.bodyEnd, indent + pair);
  } else if (home.kind === 'inline' || home.kind === 'item') {
    const edit = listEdit(plan, pairsOf(home.table));
    edit.inserts.push({
      index: home.table.pairs.length,
      text: home.table.pairs.length === 0 ? ` ${pair} ` : pair,
    });
  } else if (home.kind === 'dotted') addDotted(plan, home, pair);
  else addSection(plan, headerOf(path.slice(0, -1)), { [key]: value });
}

/** A new key of a table that exists only as `a.b = 1`: written the same way, after its last sibling. */
function addDotted(plan: Plan, home: { depth: number; slots: readonly Slot[] }, pair: string): void {
  const slot = home.slots.at(-1);
  if (slot === undefined) throw new TomlEditError('a dotted table has at least one key');
  if (slot.kind === 'line') {
    const { entry } = slot;
    const indent = plan.text.slice(entry.lineStart, entry.start);
    addLine(plan, entry.lineEnd, `${indent}${entry.rawKeys.slice(0, home.depth).join('.')}.${pair}`);
    return;
  }
  const prefix = slot.table.pairs[slot.index]?.rawKeys.slice(0, home.depth).join('.') ?? '';
  const edit = listEdit(plan, pairsOf(slot.table));
  edit.inserts.push({ index: slot.index + 1, text: `${prefix}.${pair}` });
}

function insertAt(plan: Plan, path: TomlPath, { index, value }: { index: number; value: TableValue }): void {
  const node = nodeAt(plan.root, path);
  if (node === null) {
    if (path.length === 1) addBlock(plan, plan.text.length, sectionText(plan, arrayHeaderOf(path), value));
    else addKey(plan, path, [value]);
  } else if (node.kind === 'list' && node.array.items.length === 0 && path.length === 1) {
    // `cells = []` cannot contain tables: it is replaced by the first `[[cells]]`.
    removeSlot(plan, node.slot);
    addBlock(plan, plan.text.length, sectionText(plan, arrayHeaderOf(path), value));
  } else if (node.kind === 'list') listOf(plan, node).inserts.push({ index, text: formatValue(value) });
  else if (node.kind !== 'tables') throw new TomlEditError(`${path.join('.')} is not an array of tables`);
  else {
    const block = sectionText(plan, arrayHeaderOf(path), value);
    const before = index === 0 ? undefined : node.elements[index - 1];
    if (before !== undefined) addBlock(plan, Math.max(...sectionsOf(before).map((s) => s.bodyEnd)), block);
    else {
      const start = Math.min(...node.elements.flatMap(sectionsOf).map((section) => section.start));
      plan.splices.push({ start, end: start, text: block + plan.eol, isBlock: true });
    }
  }
}

function removeAt(plan: Plan, path: TomlPath): void {
  const node = nodeAt(plan.root, path);
  if (node === null) return;
  const parent = nodeAt(plan.root, path.slice(0, -1));
  const key = path.at(-1);
  if (parent?.kind === 'list' && typeof key === 'number') listOf(plan, parent).removed.add(key);
  else if (node.kind === 'value' || node.kind === 'list') removeSlot(plan, node.slot);
  else if (node.kind === 'table' && node.home.kind === 'inline') removeSlot(plan, node.home.slot);
  else {
    if (node.kind === 'table' && node.home.kind === 'dotted') {
      for (const slot of node.home.slots) removeSlot(plan, slot);
    }
    for (const section of sectionsOf(node)) removeSection(plan, section);
  }
}

function removeSlot(plan: Plan, slot: Slot): void {
  if (slot.kind === 'line')
    plan.splices.push({ start: slot.entry.lineStart, end: slot.entry.lineEnd, text: '' });
  else listEdit(plan, pairsOf(slot.table)).removed.add(slot.index);
}

/** Removes a section with its blank line; a free-standing comment after it stays. */
function removeSection(
  { text, splices }: Plan,
  { start, bodyEnd }: { start: number; bodyEnd: number },
): void {
  const after = /^(?:[ \t]*\r?\n)*[ \t]*$|^(?:[ \t]*\r?\n)*/.exec(text.slice(bodyEnd))?.[0].length ?? 0;
  const end = bodyEnd + after;
  // The last section's blank line precedes it.
  const blank =
    end === text.length ? (/(?<=\n)(?:[ \t]*\r?\n)+$/.exec(text.slice(0, start))?.[0].length ?? 0) : 0;
  splices.push({ start: start - blank, end, text: '' });
}

function addSection(plan: Plan, header: string, value: TableValue): void {
  const cells = plan.root.children.get('cells');
  const section = cells?.kind === 'tables' ? sectionsOf(cells)[0] : undefined;
  const block = sectionText(plan, header, value);
  if (section === undefined) addBlock(plan, plan.text.length, block);
  else plan.splices.push({ start: section.start, end: section.start, text: block + plan.eol, isBlock: true });
}

/** Adds a block after the text before `at`, separated by one blank line. */
function addBlock({ text, eol, splices }: Plan, at: number, block: string): void {
  const before = at === 0 || text[at - 1] === '\n' ? '' : eol;
  const blank =
    text.slice(0, at).trim() === '' || /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, at - 80), at)) ? '' : eol;
  splices.push({ start: at, end: at, text: before + blank + block, isBlock: true });
}

function addLine({ text, eol, splices }: Plan, at: number, line: string): void {
  const open = at > 0 && text[at - 1] !== '\n';
  splices.push({ start: at, end: at, text: open ? eol + line : line + eol });
}

function sectionText(plan: Plan, header: string, value: TableValue): string {
  const lines = Object.entries(value).map(([key, item]) => `${formatKey(key)} = ${formatValue(item)}`);
  return [header, ...lines].map((line) => line + plan.eol).join('');
}

function headerOf(path: TomlPath): string {
  const names = path.filter((step) => typeof step === 'string');
  return `[${names.map(formatKey).join('.')}]`;
}

function arrayHeaderOf(path: TomlPath): string {
  return `[${headerOf(path)}]`;
}

function listOf(plan: Plan, node: ListNode): ListEdit {
  return listEdit(plan, {
    items: node.array.items,
    open: node.array.start + 1,
    lastComma: node.array.lastComma,
  });
}

function pairsOf(table: InlineTableSpan): Pick<ListEdit, 'items' | 'open' | 'lastComma'> {
  return { items: table.pairs, open: table.start + 1, lastComma: table.lastComma };
}

function listEdit({ lists }: Plan, list: Pick<ListEdit, 'items' | 'open' | 'lastComma'>): ListEdit {
  const edit = lists.get(list.open) ?? { ...list, removed: new Set<number>(), inserts: [] };
  lists.set(list.open, edit);
  return edit;
}

/** The text of a value written on its line or inside a list; null for one made of sections or dotted keys. */
function spanOf(node: TomlNode): { start: number; end: number } | null {
  if (node.kind === 'value') return node.value;
  if (node.kind === 'list') return node.array;
  if (node.kind === 'table' && (node.home.kind === 'inline' || node.home.kind === 'item'))
    return node.home.table;
  return null;
}

/** The number of tables in a node, null when it is not a list of tables only. */
function tableCount(node: TomlNode): number | null {
  if (node.kind === 'tables') return node.elements.length;
  if (node.kind !== 'list' || node.array.items.length === 0) return null;
  return node.array.items.every((item) => item.kind === 'inline') ? node.array.items.length : null;
}

function isTableValue(value: TomlValue): value is TableValue {
  return isTable(value);
}

function isTableList(value: TomlValue): value is readonly TableValue[] {
  return Array.isArray(value) && value.every(isTable);
}
