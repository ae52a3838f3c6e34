import type { TomlTable } from 'smol-toml';
import { normalName } from '../../../src-shared/notebook/requirement.ts';
import { keepLatest } from '../../lib/keepLatest.ts';
import { isTable, parseLock, tablesIn, textOf } from './lockText.ts';

/**
 * The locks this process had uv make, for the next new notebook that asks for the same: without it every new
 * notebook asks the package index again, a round trip a package. Kept as long as the public index lets its pages be
 * kept; uv still checks a recalled lock against the project and the indexes it may use, and resolves anew where it
 * does not fit.
 */
export interface LockMemory {
  /** The lock uv would make for a project without one, or null: not known, too old, or depending on more than it. */
  recall(project: TomlTable): string | null;
  /** Remembers what uv resolved just now. */
  keep(project: TomlTable, lockText: string): void;
}

/** `Cache-Control: max-age` of the public index's pages, which uv itself goes by. */
const KEPT_MS = 600_000;
/** Notebooks mostly start alike; more kinds than this within ten minutes resolve again. */
const KEPT_LOCKS = 16;

interface Kept {
  readonly lockText: string;
  readonly at: number;
}

export function createLockMemory(now: () => number = () => performance.now()): LockMemory {
  const kept = new Map<string, Kept>();
  return {
    recall(project) {
      const asked = asksOf(project);
      const found = asked === null ? undefined : kept.get(asked.key);
      if (asked === null || found === undefined || now() - found.at > KEPT_MS) return null;
      return renamedLock(found.lockText, asked.name);
    },
    keep(project, lockText) {
      const asked = asksOf(project);
      if (asked === null) return;
      keepLatest(kept, [asked.key, { lockText, at: now() }], KEPT_LOCKS);
    },
  };
}

const PLAIN_FIELDS = new Set(['name', 'version', 'description', 'requires-python', 'dependencies']);

interface Asks {
  /** As uv writes it into a lock. */
  readonly name: string;
  readonly key: string;
}

/** What a project's lock is made from; null where it also depends on settings, other files or plain URLs. */
function asksOf(project: TomlTable): Asks | null {
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
    name: normalName(textOf(name)),
    key: JSON.stringify([textOf(version), textOf(fields['requires-python']), requirements]),
  };
}

const PACKAGE = '\n[[package]]\n';
const PROJECT_SOURCE = /^source = \{ virtual = "\." \}$/m;
const NAME = /^name = "([^"]*)"$/m;

/**
 * The lock of the same project under another name: its entry is named anew and stands where uv sorts it. Null where
 * the text is not laid out as uv lays it out, or a package is called like the project.
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
