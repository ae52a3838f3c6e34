import type { TomlTable, TomlValue } from 'smol-toml';
import { normalizedName, readRequirement } from '../../../src-shared/notebook/requirement.ts';
import type { PackageSource } from '../../../src-shared/wire/environment.ts';
import type { ProjectFile } from '../folder/projectFile.ts';
import { isProjectEntry, isTable, parseLock, tablesIn, textOf } from '../lock/lockText.ts';

/**
 * The packages that a project requires and where each comes from, read only from its files: the window shows them
 * before the user trusts the notebook. A package from the configured index is `index`; for all others the source is
 * named.
 */
export function packageSources(
  project: Pick<ProjectFile, 'table' | 'requirements'> | null,
  lockText: string | null,
): readonly PackageSource[] {
  if (project === null) return [];
  const uv = tableIn(tableIn(project.table, 'tool'), 'uv');
  const sourceOfName = new Map(
    Object.entries(tableIn(uv, 'sources')).map(([name, source]) => [normalizedName(name), source] as const),
  );
  const places = indexesOf(uv);
  const declared = requirementsOf(project, uv).map((text) => sourceOf(text, sourceOfName, places));
  const settings = settingsOf(project.table, uv);
  const declaredNames = new Set(declared.map(({ requirement }) => nameOf(requirement)));
  return [...declared, ...settings, ...lockedElsewhere(lockText, declaredNames)];
}

/** The packages that do not come from the configured index. */
export function fromElsewhere(sources: readonly PackageSource[]): readonly PackageSource[] {
  return sources.filter(({ kind }) => kind !== 'index');
}

/** The source of a requirement that is not in a project yet. */
export function requirementSource(requirement: string): PackageSource {
  return sourceOf(requirement, new Map(), new Map());
}

function tableIn(table: TomlTable, key: string): TomlTable {
  const value = table[key];
  return isTable(value) ? value : {};
}

function textsIn(value: TomlValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== '') : [];
}

/** The direct requirements, those of groups and extras, overrides and constraints. */
function requirementsOf(project: Pick<ProjectFile, 'table' | 'requirements'>, uv: TomlTable): string[] {
  const groups = [
    ...Object.values(tableIn(tableIn(project.table, 'project'), 'optional-dependencies')),
    ...Object.values(tableIn(project.table, 'dependency-groups')),
    ...['dev-dependencies', 'override-dependencies', 'constraint-dependencies'].map((key) => uv[key]),
  ];
  return [...new Set([...project.requirements, ...groups.flatMap(textsIn)])];
}

/** The project's own indexes, by name. */
function indexesOf(uv: TomlTable): ReadonlyMap<string, string> {
  return new Map(tablesIn(uv['index']).map((index) => [textOf(index['name']), textOf(index['url'])]));
}

function sourceOf(
  requirement: string,
  sourceOfName: ReadonlyMap<string, TomlValue>,
  indexes: ReadonlyMap<string, string>,
): PackageSource {
  const parsed = readRequirement(requirement);
  if (parsed?.url != null) return { requirement, ...placeOf(parsed.url) };
  const source = sourceOfName.get(nameOf(requirement));
  if (source === undefined) return { requirement, kind: 'index', from: null };
  // A list has one source per kind of machine: the first that is not an index is shown.
  const candidates = (Array.isArray(source) ? tablesIn(source) : isTable(source) ? [source] : []).map((one) =>
    tableSource(one, indexes),
  );
  const place = candidates.find(({ kind }) => kind !== 'other_index') ?? candidates[0];
  return { requirement, ...(place ?? { kind: 'url', from: null }) };
}

type Place = Pick<PackageSource, 'kind' | 'from'>;

function placeOf(url: string): Place {
  if (/^(git|hg|bzr|svn)\+/.test(url)) return { kind: 'repository', from: url };
  return { kind: /^file:|^[./~]|^[a-z]:[\\/]/i.test(url) ? 'path' : 'url', from: url };
}

function tableSource(source: TomlTable, indexes: ReadonlyMap<string, string>): Place {
  const text = (key: string): string | null => textOf(source[key]) || null;
  if (text('git') !== null) return { kind: 'repository', from: text('git') };
  if (text('url') !== null) return placeOf(text('url') ?? '');
  if (text('path') !== null) return { kind: 'path', from: text('path') };
  if (text('index') !== null) {
    return { kind: 'other_index', from: indexes.get(text('index') ?? '') ?? text('index') };
  }
  return { kind: 'path', from: 'workspace' };
}

/** Settings that affect the source of every package, or that need a build to list the dependencies. */
function settingsOf(table: TomlTable, uv: TomlTable): readonly PackageSource[] {
  const any = (kind: PackageSource['kind'], from: string): PackageSource => ({
    requirement: '*',
    kind,
    from,
  });
  const pip = tableIn(uv, 'pip');
  const single = ['index-url', 'default-index'].flatMap((key) => [textOf(uv[key]), textOf(pip[key])]);
  const lists = ['extra-index-url', 'find-links'].flatMap((key) => [
    ...textsIn(uv[key]),
    ...textsIn(pip[key]),
  ]);
  const dynamic = textsIn(tableIn(table, 'project')['dynamic']);
  const members = textsIn(tableIn(uv, 'workspace')['members']);
  return [
    ...[...indexesOf(uv).values()].map((url) => any('other_index', url)),
    ...[...single, ...lists].filter((url) => url !== '').map((url) => any('other_index', url)),
    ...(dynamic.length > 0 ? [any('build', `pyproject.toml (dynamic ${dynamic.join(', ')})`)] : []),
    ...members.map((member) => any('path', member)),
  ];
}

/** Hosts of the public index and of its files. */
const PUBLIC_HOST = /^(pypi|files\.pythonhosted)\.org$/;

/** Packages that a lock takes from elsewhere than the public index, unless the project already says so. */
function lockedElsewhere(
  lockText: string | null,
  declaredNames: ReadonlySet<string>,
): readonly PackageSource[] {
  const packages = tablesIn((lockText === null ? null : parseLock(lockText))?.['package']);
  return packages
    .filter((entry) => !isProjectEntry(entry))
    .flatMap((entry) => {
      const requirement = textOf(entry['name']);
      const place = lockedPlace(entry);
      return place === null ||
        (declaredNames.has(normalizedName(requirement)) && place.kind !== 'other_index')
        ? []
        : [{ requirement, ...place }];
    });
}

function lockedPlace(entry: TomlTable): Place | null {
  const source = tableIn(entry, 'source');
  const registry = textOf(source['registry']);
  if (registry === '') {
    const from = ['git', 'url', 'path', 'directory', 'editable']
      .map((key) => textOf(source[key]))
      .find(Boolean);
    return from === undefined
      ? null
      : source['git'] === undefined
        ? placeOf(from)
        : { kind: 'repository', from };
  }
  const files = [...tablesIn(entry['wheels']), ...(isTable(entry['sdist']) ? [entry['sdist']] : [])];
  const urls = [registry, ...files.map((file) => textOf(file['url'])).filter(Boolean)];
  const otherUrl = urls.find((url) => !PUBLIC_HOST.test(hostOf(url)));
  return otherUrl === undefined ? null : { kind: 'other_index', from: otherUrl };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

function nameOf(requirement: string): string {
  return normalizedName(readRequirement(requirement)?.name ?? requirement);
}
