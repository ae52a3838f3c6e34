import { asciiJson } from './asciiJson.ts';

/**
 * The bytes of what was turned into bytes before. Nothing that was sent is changed afterwards, and views keep their
 * identity for as long as they say the same.
 */
const kept = new WeakMap<object, Buffer>();

/** Lists of views that outlive a change of one of them: their elements are remembered one by one. */
const LISTS_OF_VIEWS: ReadonlySet<string> = new Set(['cells']);

/** What was turned into bytes before, or text that was not yet. */
export type JsonPart = Buffer | string;

const COMMA = Buffer.from(',');
const OPEN_LIST = Buffer.from('[');
const CLOSE_LIST = Buffer.from(']');
const NULL = Buffer.from('null');

function bytesOf(value: unknown): Buffer | undefined {
  const text = JSON.stringify(value);
  // Undefined for what has no JSON form, whatever the type says.
  return text === undefined ? undefined : Buffer.from(text);
}

function remembered(value: unknown): Buffer | undefined {
  if (typeof value !== 'object' || value === null) return bytesOf(value);
  const known = kept.get(value);
  if (known !== undefined) return known;
  const bytes = bytesOf(value);
  if (bytes !== undefined) kept.set(value, bytes);
  return bytes;
}

function pushList(parts: JsonPart[], list: readonly unknown[]): void {
  parts.push(OPEN_LIST);
  for (const [index, element] of list.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(remembered(element) ?? NULL);
  }
  parts.push(CLOSE_LIST);
}

/**
 * What `JSON.stringify` gives, as UTF-8 in pieces, with the parts of `value` remembered by identity. A notebook of
 * five hundred cells is sent again and again with one cell changed: the other views keep their identity, so only one
 * is written anew. In pieces, because a megabyte is copied once: into what is sent.
 */
export function jsonParts(value: unknown): readonly JsonPart[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) {
    return [bytesOf(value) ?? NULL];
  }
  const parts: JsonPart[] = [];
  // Neighbours that are no objects are written together: a small piece costs as much as a large one.
  let text = '{';
  let separator = '';
  for (const [key, member] of Object.entries(value)) {
    const name = `${separator}${JSON.stringify(key)}:`;
    if (Array.isArray(member) && LISTS_OF_VIEWS.has(key)) {
      parts.push(text + name);
      pushList(parts, member);
      text = '';
    } else if (typeof member === 'object' && member !== null) {
      const bytes = remembered(member);
      if (bytes === undefined) continue;
      parts.push(text + name, bytes);
      text = '';
    } else {
      const plain = JSON.stringify(member);
      if (plain === undefined) continue;
      text += name + asciiJson(plain);
    }
    separator = ',';
  }
  return [...parts, `${text}}`];
}

/** Parts one after another, in one piece of memory; where all is text it is turned into bytes once. */
export function joinParts(parts: readonly JsonPart[]): Buffer {
  if (parts.every((part) => typeof part === 'string')) return Buffer.from(parts.join(''));
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
