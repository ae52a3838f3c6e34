import { createHash } from 'node:crypto';
import type { TomlTable, TomlValue } from 'smol-toml';
import { lockKey } from './lockKey.ts';
import { isProjectEntry, isTable, parseLock, pythonJson, tablesIn, textOf } from './lockText.ts';

/**
 * The part of a cell's key that comes from uv.lock (docs/spec/provenance-and-cache.md, 1): SHA-256 hex of the packages
 * that a run can import, so that results stay valid after a new dev tool, another upload time or another name of the
 * notebook. For a lock without an entry of the project, its lock key; for an invalid lock, the hash of its bytes.
 */
export function lockDigest(uvLockText: string): string {
  const lock = parseLock(uvLockText);
  const entries = tablesIn(lock?.['package']);
  const project = entries.find(isProjectEntry);
  if (lock === null || project === undefined) return lockKey(uvLockText) ?? sha256(uvLockText);
  try {
    const facts = {
      'requires-python': textOf(lock['requires-python']),
      closure: closureOf(project, entries),
    };
    return sha256(pythonJson(facts, 'compact'));
  } catch (error) {
    if (error instanceof TypeError) return sha256(uvLockText);
    throw error;
  }
}

/** The `requires-python` of a lock; empty when it has none. */
export function requiresPython(uvLockText: string): string {
  return textOf(parseLock(uvLockText)?.['requires-python']);
}

/** All packages of a lock except the project itself, by name: those shown as resolved. */
export function resolvedPackages(
  uvLockText: string,
): readonly { readonly name: string; readonly version: string }[] {
  const lock = parseLock(uvLockText);
  return tablesIn(lock?.['package'])
    .filter((entry) => !isProjectEntry(entry))
    .map((entry) => ({ name: textOf(entry['name']), version: textOf(entry['version']) }))
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.version, b.version));
}

/**
 * Everything that the project reaches by run-time dependencies: the dependencies with their markers, and each
 * package's version, source and artifact hashes.
 */
function closureOf(project: TomlTable, entries: readonly TomlTable[]): TomlTable {
  const packages: Record<string, TomlValue> = {};
  const roots = tablesIn(project['dependencies']);
  const waiting = [...roots];
  const visited = new Set<string>();
  for (let edge = waiting.pop(); edge !== undefined; edge = waiting.pop()) {
    const extras = extrasOf(edge);
    for (const entry of targetsOf(edge, entries)) {
      const id = identityOf(entry);
      const node = `${id} ${extras.join(',')}`;
      if (visited.has(node)) continue;
      visited.add(node);
      const optional = extras.flatMap((extra) => optionalOf(entry, extra));
      packages[id] ??= factsOf(entry);
      if (extras.length > 0) packages[node] = optional.map(edgeFacts);
      waiting.push(...tablesIn(entry['dependencies']), ...optional);
    }
  }
  return { roots: roots.map(edgeFacts), packages };
}

/** A dependency only names a version and a source when the lock has several packages of that name. */
function targetsOf(edge: TomlTable, entries: readonly TomlTable[]): readonly TomlTable[] {
  const { name, version, source } = edge;
  return entries.filter(
    (entry) =>
      entry['name'] === name &&
      !isProjectEntry(entry) &&
      (version === undefined || entry['version'] === version) &&
      (source === undefined || sameJson(entry['source'], source)),
  );
}

function identityOf(entry: TomlTable): string {
  return `${textOf(entry['name'])}@${textOf(entry['version'])} ${pythonJson(entry['source'] ?? {}, 'compact')}`;
}

function factsOf(entry: TomlTable): TomlValue {
  const artifacts = [...(isTable(entry['sdist']) ? [entry['sdist']] : []), ...tablesIn(entry['wheels'])];
  return {
    hashes: artifacts.map((artifact) => textOf(artifact['hash'])).sort(compareText),
    dependencies: tablesIn(entry['dependencies']).map(edgeFacts),
  };
}

function edgeFacts(edge: TomlTable): TomlValue {
  const { name, version, marker, source } = edge;
  return {
    name: textOf(name),
    extra: [...extrasOf(edge)],
    ...(version === undefined ? {} : { version }),
    ...(marker === undefined ? {} : { marker }),
    ...(source === undefined ? {} : { source }),
  };
}

function extrasOf(edge: TomlTable): readonly string[] {
  const { extra } = edge;
  return Array.isArray(extra) ? extra.map(textOf).sort(compareText) : [];
}

function optionalOf(entry: TomlTable, extra: string): readonly TomlTable[] {
  const optional = entry['optional-dependencies'];
  return isTable(optional) ? tablesIn(optional[extra]) : [];
}

function sameJson(a: TomlValue | undefined, b: TomlValue): boolean {
  return a !== undefined && pythonJson(a, 'compact') === pythonJson(b, 'compact');
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
