/** Computes the key of a uv.lock, under which a worker stores the environment it builds from it. */

import { createHash } from 'node:crypto';
import type { TomlTable, TomlValue } from 'smol-toml';
import { keepLatest } from '../../lib/keepLatest.ts';
import { isProjectEntry, isTable, parseLock, pythonJson, tablesIn, textOf } from './lockText.ts';

const PROJECT = '<project>';
/** Fields of the project's own entry that do not affect what is installed. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['name', 'version', 'source', 'metadata']);

/** A small cache: every cell on a worker needs the key of its notebook's lock, on both ends. */
const MAX_CACHED = 8;
/** Longer texts are not cached; no real lock is as long. */
const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;
const cache = new Map<string, string | null>();

/**
 * The lock key (docs/spec/worker-protocol.md, 8.2): notebooks with the same resolved dependencies share it, whatever
 * their names.
 * @returns SHA-256 hex; null when the text is not a lock (not TOML, or with a bare date)
 */
export function lockKey(text: string): string | null {
  const cached = cache.get(text);
  const key = cached === undefined ? keyOf(canonicalLock(text)) : cached;
  if (text.length <= MAX_CACHED_CHARACTERS) keepLatest(cache, [text, key], MAX_CACHED);
  return key;
}

function keyOf(canonical: string | null): string | null {
  return canonical === null ? null : createHash('sha256').update(canonical).digest('hex');
}

/** The text of which {@link lockKey} is the hash. */
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
    const relevant = isProjectEntry(entry) ? without(entry, OWN_FIELDS) : entry;
    const anonymous = anonymize(relevant, project);
    return { anonymous, order: pythonJson(anonymous, 'spaced') };
  });
  packages.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  const rest = anonymize(without(lock, new Set(['package', 'manifest'])), project);
  const { manifest } = lock;
  return {
    ...(isTable(rest) ? rest : {}),
    package: packages.map(({ anonymous }) => anonymous),
    ...(isTable(manifest) ? { manifest: canonicalManifest(manifest, project) } : {}),
  };
}

function canonicalManifest(manifest: TomlTable, project: string): TomlValue {
  const withoutName = anonymize(manifest, project);
  const { members } = manifest;
  if (!isTable(withoutName) || !Array.isArray(members)) return withoutName;
  const names = members.map((member) => (member === project && project !== '' ? PROJECT : textOf(member)));
  return { ...withoutName, members: names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)) };
}

/** The value in which every `name` field with the project's name is replaced by a placeholder. */
function anonymize(value: TomlValue, project: string): TomlValue {
  if (project === '') return value;
  if (Array.isArray(value)) return value.map((item) => anonymize(item, project));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) =>
      key === 'name' && field === project ? [key, PROJECT] : [key, anonymize(field, project)],
    ),
  );
}

function without(table: TomlTable, keys: ReadonlySet<string>): TomlTable {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !keys.has(key)));
}
