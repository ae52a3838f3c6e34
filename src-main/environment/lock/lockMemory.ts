/**
 * Remembers the locks that uv made in this process, so that new notebooks with equal requirements need no package
 * index.
 */

import type { TomlTable } from 'smol-toml';
import { normalizedName } from '../../../src-shared/notebook/requirement.ts';
import { keepLatest } from '../../lib/keepLatest.ts';
import { isTable, parseLock, tablesIn, textOf } from './lockText.ts';

/**
 * The locks that uv made in this process. Without them every new notebook would query the package index again, with a
 * round trip per package. They are stored as long as the public index allows its pages to be cached; uv still checks a
 * recalled lock against the project and the indexes, and resolves again when it does not match.
 */
export interface LockMemory {
  /**
   * The lock that uv would make for a project without one; null: not known, too old, or it depends on more than the
   * project.
   */
  recall(project: TomlTable): string | null;
  /** Remembers a lock that uv has just resolved. */
  keep(project: TomlTable, lockText: string): void;
}

/** `Cache-Control: max-age` of the public index's pages, which uv follows too. */
const KEPT_MS = 600_000;
/** Most notebooks start with the same packages; more kinds than this within ten minutes are resolved again. */
const KEPT_LOCKS = 16;

interface RememberedLock {
  readonly lockText: string;
  readonly at: number;
}

export function createLockMemory(now: () => number = () => performance.now()): LockMemory {
  const locks = new Map<string, RememberedLock>();
  return {
    recall(project) {
      const request = lockRequestOf(project);
      const entry = request === null ? undefined : locks.get(request.key);
      if (request === null || entry === undefined || now() - entry.at > KEPT_MS) return null;
      return renamedLock(entry.lockText, request.name);
    },
    keep(project, lockText) {
      const request = lockRequestOf(project);
      if (request === null) return;
      keepLatest(locks, [request.key, { lockText, at: now() }], KEPT_LOCKS);
    },
  };
}

const PLAIN_FIELDS = new Set(['name', 'version', 'description', 'requires-python', 'dependencies']);

interface LockRequest {
  /** The project's name as uv writes it in a lock. */
  readonly name: string;
  readonly key: string;
}

/** What a project's lock is made from; null when it also depends on settings, other files or URLs. */
function lockRequestOf(project: TomlTable): LockRequest | null {
  const { project: fields, tool, ...others } = project;
  if (!isTable(fields) || Object.keys(others).length > 0) return null;
  const settings = isTable(tool) ? Object.entries(tool) : [];
  if (settings.some(([name, table]) => name !== 'uv' || !isTable(table) || Object.keys(table).length > 0)) {
    return null;
  }
  if (Object.keys(fields).some((field) => !PLAIN_FIELDS.has(field))) return null;
  const { name, version, dependencies } = fields;
  const requirements = Array.isArray(dependencies) ? dependencies.map(textOf) : [];
  if (requirements.some((requirement) => requirement.includes('@'))) return null;
  return {
    name: normalizedName(textOf(name)),
    key: JSON.stringify([textOf(version), textOf(fields['requires-python']), requirements]),
  };
}

const PACKAGE = '\n[[package]]\n';
const PROJECT_SOURCE = /^source = \{ virtual = "\." \}$/m;
const NAME = /^name = "([^"]*)"$/m;

/**
 * The lock of the same project under another name: renames its entry and moves it to where uv sorts it. Null when
 * the layout differs from uv's or a package has the same name as the project.
 */
export function renamedLock(lockText: string, name: string): string | null {
  const lock = parseLock(lockText);
  const names = tablesIn(lock?.['package']).map((entry) => textOf(entry['name']));
  const [header, ...entries] = lockText.split(PACKAGE);
  const at = entries.findIndex((entry) => PROJECT_SOURCE.test(entry));
  const own = entries[at];
  if (header === undefined || own === undefined || entries.length !== names.length) return null;
  if (lock?.['manifest'] !== undefined || name === '') return null;
  const others = entries.toSpliced(at, 1);
  const nameOf = (entry: string): string => NAME.exec(entry)?.[1] ?? '';
  if (others.some((entry) => nameOf(entry) === name)) return null;
  const after = others.findIndex((entry) => nameOf(entry) > name);
  const place = after === -1 ? others.length : after;
  const renamed = own.replace(NAME, () => `name = "${name}"`);
  return [header, ...others.toSpliced(place, 0, renamed)].join(PACKAGE);
}
