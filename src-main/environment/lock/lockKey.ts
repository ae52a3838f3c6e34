import { createHash } from 'node:crypto';
import type { TomlTable, TomlValue } from 'smol-toml';
import { keepLatest } from '../../lib/keepLatest.ts';
import { isProjectEntry, isTable, parseLock, pythonJson, tablesIn, textOf } from './lockText.ts';

const PROJECT = '<project>';
/** What the project's own entry says of itself and nothing that is installed. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['name', 'version', 'source', 'metadata']);

/** Every cell on a worker asks for the key of its notebook's lock, at both ends: of the last texts it is known. */
const MOST_KNOWN = 8;
/** No lock is as long; whose is, is worked out each time. */
const MOST_KNOWN_CHARACTERS = 4 * 1024 * 1024;
const known = new Map<string, string | null>();

/**
 * The lock key (worker-protocol 8.2): notebooks with equal resolved dependencies share it,
 * whatever they are called. @returns SHA-256 hex; null when the text is no lock (not TOML, or with a bare date)
 */
export function lockKey(text: string): string | null {
  const before = known.get(text);
  const key = before === undefined ? keyOf(canonicalLock(text)) : before;
  if (text.length <= MOST_KNOWN_CHARACTERS) keepLatest(known, [text, key], MOST_KNOWN);
  return key;
}

function keyOf(canonical: string | null): string | null {
  return canonical === null ? null : createHash('sha256').update(canonical).digest('hex');
}

/** The text {@link lockKey} hashes. */
export function canonicalLock(text: string): string | null {
  const lock = parseLock(text);
  if (lock === null) return null;
  try {
    return pythonJson(canonical(lock), 'compact');
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function canonical(lock: TomlTable): TomlTable {
  const entries = tablesIn(lock['package']);
  const project = textOf(entries.find(isProjectEntry)?.['name']);
  const packages = entries.map((entry) => {
    const kept = isProjectEntry(entry) ? without(entry, OWN_FIELDS) : entry;
    const anonymous = renamed(kept, project);
    return { anonymous, order: pythonJson(anonymous, 'spaced') };
  });
  packages.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  const rest = renamed(without(lock, new Set(['package', 'manifest'])), project);
  const { manifest } = lock;
  return {
    ...(isTable(rest) ? rest : {}),
    package: packages.map(({ anonymous }) => anonymous),
    ...(isTable(manifest) ? { manifest: canonicalManifest(manifest, project) } : {}),
  };
}

function canonicalManifest(manifest: TomlTable, project: string): TomlValue {
  const named = renamed(manifest, project);
  const { members } = manifest;
  if (!isTable(named) || !Array.isArray(members)) return named;
  const names = members.map((member) => (member === project && project !== '' ? PROJECT : textOf(member)));
  return { ...named, members: names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)) };
}

/** The value with every `name` field equal to the project's name made anonymous. */
function renamed(value: TomlValue, project: string): TomlValue {
  if (project === '') return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, project));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) =>
      key === 'name' && field === project ? [key, PROJECT] : [key, renamed(field, project)],
    ),
  );
}

function without(table: TomlTable, keys: ReadonlySet<string>): TomlTable {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !keys.has(key)));
}
