/** Parses uv.lock, and writes TOML values as Python's json module does, for digests that other programs compute too. */

import { parse, type TomlTable, type TomlValue } from 'smol-toml';

/** The parsed lock, with integers as bigint; null when it is invalid. */
export function parseLock(text: string): TomlTable | null {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch {
    // An incomplete file or merge markers: the caller uses the bytes instead.
    return null;
  }
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
}

export function tablesIn(value: TomlValue | undefined): readonly TomlTable[] {
  return Array.isArray(value) ? value.filter(isTable) : [];
}

export function textOf(value: TomlValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Whether it is the notebook's own entry: the package whose source is virtual or editable in the current directory. */
export function isProjectEntry(entry: TomlTable): boolean {
  const { source } = entry;
  return isTable(source) && (source['virtual'] === '.' || source['editable'] === '.');
}

/**
 * A TOML value as Python's `json.dumps(value, sort_keys=True)` writes it: sorted keys, escaped non-ASCII characters.
 * `compact` omits the spaces after separators. @throws TypeError for a TOML date, as Python does
 */
export function pythonJson(value: TomlValue, style: 'compact' | 'spaced'): string {
  const [comma, colon] = style === 'compact' ? [',', ':'] : [', ', ': '];
  const write = (item: TomlValue): string => {
    if (typeof item === 'string') return quoted(item);
    if (typeof item === 'bigint' || typeof item === 'boolean') return String(item);
    if (typeof item === 'number') return Number.isInteger(item) ? item.toFixed(1) : String(item);
    if (item instanceof Date) throw new TypeError('a TOML date has no JSON form');
    if (Array.isArray(item)) return `[${item.map(write).join(comma)}]`;
    const fields = Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([key, field]) => `${quoted(key)}${colon}${write(field)}`).join(comma)}}`;
  };
  return write(value);
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
