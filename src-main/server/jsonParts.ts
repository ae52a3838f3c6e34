/** Serializes JSON answers in pieces, and reuses the bytes of parts that are unchanged since an earlier answer. */

import { asciiJson } from './asciiJson.ts';

/** Serialised values by identity. Nothing is changed after it was sent, and unchanged views keep their identity. */
const cache = new WeakMap<object, Buffer>();

/** Lists of views whose elements are remembered one by one, because most of them outlive a change of one. */
const LISTS_OF_VIEWS: ReadonlySet<string> = new Set(['cells']);

/** Bytes that were serialised before, or text that is not bytes yet. */
export type JsonPart = Buffer | string;

const COMMA = Buffer.from(',');
const OPEN_LIST = Buffer.from('[');
const CLOSE_LIST = Buffer.from(']');
const NULL = Buffer.from('null');

function bytesOf(value: unknown): Buffer | undefined {
  const text = JSON.stringify(value);
  // Undefined for a value without a JSON form, whatever the type says.
  return text === undefined ? undefined : Buffer.from(text);
}

function remembered(value: unknown): Buffer | undefined {
  if (typeof value !== 'object' || value === null) return bytesOf(value);
  const cached = cache.get(value);
  if (cached !== undefined) return cached;
  const bytes = bytesOf(value);
  if (bytes !== undefined) cache.set(value, bytes);
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
 * The same as `JSON.stringify`, as UTF-8 in pieces; the parts of `value` are remembered by identity. A notebook of five
 * hundred cells is often sent with one cell changed: the other views keep their identity, so only one is serialised
 * again. The answer is in pieces so that a megabyte is copied once, into the message.
 */
export function jsonParts(value: unknown): readonly JsonPart[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) {
    return [bytesOf(value) ?? NULL];
  }
  const parts: JsonPart[] = [];
  // Adjacent values that are not objects are written together: a small piece costs as much as a large one.
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

/** Joins the parts in one buffer; if all of them are text, they are encoded once. */
export function joinParts(parts: readonly JsonPart[]): Buffer {
  if (parts.every((part) => typeof part === 'string')) return Buffer.from(parts.join(''));
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
