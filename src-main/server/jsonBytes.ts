/**
 * The bytes of what was turned into bytes before. Nothing that was sent is changed afterwards, and views keep their
 * identity for as long as they say the same.
 */
const kept = new WeakMap<object, Buffer>();

/** Lists of views that outlive a change of one of them: their elements are remembered one by one. */
const LISTS_OF_VIEWS: ReadonlySet<string> = new Set(['cells']);

const COMMA = Buffer.from(',');
const OPEN_LIST = Buffer.from('[');
const CLOSE_LIST = Buffer.from(']');
const NULL = Buffer.from('null');

function bytesOf(value: unknown): Buffer | undefined {
  const text = JSON.stringify(value);
  // JSON.stringify of what has no JSON form, whatever its type says.
  return text === undefined ? undefined : Buffer.from(text);
}

function remembered(value: unknown, write = bytesOf): Buffer | undefined {
  if (typeof value !== 'object' || value === null) return bytesOf(value);
  const known = kept.get(value);
  if (known !== undefined) return known;
  const bytes = write(value);
  if (bytes !== undefined) kept.set(value, bytes);
  return bytes;
}

function listBytes(list: unknown): Buffer | undefined {
  if (!Array.isArray(list)) return bytesOf(list);
  const parts: Buffer[] = [OPEN_LIST];
  for (const [index, element] of list.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(remembered(element) ?? NULL);
  }
  parts.push(CLOSE_LIST);
  return Buffer.concat(parts);
}

/**
 * What `JSON.stringify` gives, as UTF-8, with the parts of `value` remembered by identity. A notebook of five hundred
 * cells is sent again and again with one cell changed: the other views keep their identity, so only one is written
 * anew; and where nothing changed, not even the list is.
 */
export function jsonBytes(value: unknown): Buffer {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) {
    return bytesOf(value) ?? NULL;
  }
  const parts: Buffer[] = [];
  // Neighbours that are no objects are written together: one small buffer costs as much as a large one.
  let text = '';
  for (const [key, member] of Object.entries(value)) {
    const name = `${text === '' && parts.length === 0 ? '' : ','}${JSON.stringify(key)}:`;
    if (typeof member !== 'object' || member === null) {
      const plain = JSON.stringify(member);
      if (plain !== undefined) text += name + plain;
      continue;
    }
    const bytes = remembered(member, LISTS_OF_VIEWS.has(key) ? listBytes : bytesOf);
    if (bytes === undefined) continue;
    parts.push(Buffer.from(text + name), bytes);
    text = '';
  }
  return Buffer.concat([Buffer.from('{'), ...parts, Buffer.from(`${text}}`)]);
}
