/** A syntax tree of notebook.toml with the position of every value, for editing the text in place. */

import {
  type ArraySpan,
  type EntrySpan,
  type InlineTableSpan,
  type PairSpan,
  type SectionSpan,
  scanToml,
  type ValueSpan,
} from './tomlScan.ts';

/** Where a key and its value are written: on a line, or inside an inline table. */
export type Slot =
  | { readonly kind: 'line'; readonly entry: EntrySpan }
  | { readonly kind: 'pair'; readonly table: InlineTableSpan; readonly index: number };

/**
 * How a table is written. `dotted`: only through `a.b = 1`; `implied`: only as the front of a deeper header;
 * `item`: an inline table inside an inline array.
 */
type Home =
  | { readonly kind: 'section'; readonly section: SectionSpan }
  | { readonly kind: 'inline'; readonly table: InlineTableSpan; readonly slot: Slot }
  | { readonly kind: 'item'; readonly table: InlineTableSpan }
  | { readonly kind: 'dotted'; readonly depth: number; readonly slots: Slot[] }
  | { readonly kind: 'implied' };

export interface TableNode {
  readonly kind: 'table';
  home: Home;
  readonly children: Map<string, TomlNode>;
}

/** The tables of an array of tables, `[[name]]`. */
interface TablesNode {
  readonly kind: 'tables';
  readonly elements: TableNode[];
}

interface ValueNode {
  readonly kind: 'value';
  readonly value: ValueSpan;
  readonly slot: Slot;
}

/** An inline array, addressable by index. */
export interface ListNode {
  readonly kind: 'list';
  readonly array: ArraySpan;
  readonly slot: Slot;
}

export type TomlNode = TableNode | TablesNode | ValueNode | ListNode;

/** The tree of a valid TOML text, in which every node has its positions in the text. */
export function treeOf(text: string): TableNode {
  const sections = scanToml(text);
  const [first] = sections;
  if (first === undefined) throw new Error('a TOML text has at least its root section');
  const root: TableNode = tableNode({ kind: 'section', section: first });
  for (const section of sections) {
    const table = section.header === null ? root : openSection(root, section, section.header);
    for (const entry of section.entries) addPair(table, entry, { kind: 'line', entry });
  }
  return root;
}

/** The node at `path`, or null. */
export function nodeAt(root: TableNode, path: readonly (string | number)[]): TomlNode | null {
  let node: TomlNode = root;
  for (const step of path) {
    const next = stepInto(node, step);
    if (next === null) return null;
    node = next;
  }
  return node;
}

/** Every section that contains a part of the node, including its nested tables. */
export function sectionsOf(node: TomlNode): readonly SectionSpan[] {
  if (node.kind === 'tables') return node.elements.flatMap(sectionsOf);
  if (node.kind !== 'table') return [];
  const own = node.home.kind === 'section' ? [node.home.section] : [];
  return [...own, ...[...node.children.values()].flatMap(sectionsOf)];
}

/** The start of the node in the text, for naming the line in an error. */
export function startOf(node: TomlNode): number | null {
  switch (node.kind) {
    case 'value':
      return node.value.start;
    case 'list':
      return node.array.start;
    case 'tables':
      return node.elements[0] === undefined ? null : startOf(node.elements[0]);
    case 'table':
      return tableStart(node);
  }
}

function tableStart({ home, children }: TableNode): number | null {
  if (home.kind === 'section') return home.section.entries[0]?.lineStart ?? home.section.bodyEnd;
  if (home.kind === 'inline' || home.kind === 'item') return home.table.start;
  const [first] = children.values();
  return first === undefined ? null : startOf(first);
}

function stepInto(node: TomlNode, step: string | number): TomlNode | null {
  if (typeof step === 'string') return node.kind === 'table' ? (node.children.get(step) ?? null) : null;
  if (node.kind === 'tables') return node.elements[step] ?? null;
  if (node.kind !== 'list') return null;
  const item = node.array.items[step];
  if (item === undefined) return null;
  return item.kind === 'inline'
    ? inlineNode(item, { kind: 'item', table: item })
    : valueNode(item, node.slot);
}

function tableNode(home: Home): TableNode {
  return { kind: 'table', home, children: new Map() };
}

function openSection(
  root: TableNode,
  section: SectionSpan,
  header: { path: readonly string[]; isArray: boolean },
): TableNode {
  let table = root;
  for (const key of header.path.slice(0, -1)) table = enter(table, key);
  const last = header.path.at(-1) ?? '';
  const home: Home = { kind: 'section', section };
  if (!header.isArray) {
    const opened = enter(table, last);
    opened.home = home;
    return opened;
  }
  const element = tableNode(home);
  const existing = table.children.get(last);
  if (existing?.kind === 'tables') existing.elements.push(element);
  else table.children.set(last, { kind: 'tables', elements: [element] });
  return element;
}

/** The table called `key`, the newest element if `[[key]]` made several. */
function enter(table: TableNode, key: string): TableNode {
  const child = table.children.get(key);
  if (child?.kind === 'table') return child;
  const newest = child?.kind === 'tables' ? child.elements.at(-1) : undefined;
  if (newest !== undefined) return newest;
  const node = tableNode({ kind: 'implied' });
  table.children.set(key, node);
  return node;
}

function addPair(table: TableNode, pair: PairSpan, slot: Slot): void {
  let parent = table;
  pair.path.slice(0, -1).forEach((key, index) => {
    const child = parent.children.get(key);
    const dotted =
      child?.kind === 'table' ? child : tableNode({ kind: 'dotted', depth: index + 1, slots: [] });
    if (dotted.home.kind === 'dotted') dotted.home.slots.push(slot);
    parent.children.set(key, dotted);
    parent = dotted;
  });
  parent.children.set(pair.path.at(-1) ?? '', valueNode(pair.value, slot));
}

function valueNode(value: ValueSpan, slot: Slot): TomlNode {
  if (value.kind === 'array') return { kind: 'list', array: value, slot };
  if (value.kind === 'inline') return inlineNode(value, { kind: 'inline', table: value, slot });
  return { kind: 'value', value, slot };
}

function inlineNode(table: InlineTableSpan, home: Home): TableNode {
  const node = tableNode(home);
  table.pairs.forEach((pair, index) => {
    addPair(node, pair, { kind: 'pair', table, index });
  });
  return node;
}
