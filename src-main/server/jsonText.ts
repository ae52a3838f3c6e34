/** The text of an object that was turned into text before. Nothing that was sent is changed afterwards. */
const texts = new WeakMap<object, string>();

function remembered(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

function elementsOf(list: readonly unknown[]): string {
  return `[${list.map((element) => remembered(element) ?? 'null').join(',')}]`;
}

/**
 * What `JSON.stringify` gives, with the parts of `value` remembered by identity. A notebook of five hundred cells
 * is sent again and again with one cell changed: the other views keep their identity, so only one is written anew.
 */
export function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) {
    return JSON.stringify(value);
  }
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = Array.isArray(member) ? elementsOf(member) : remembered(member);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}
