import type { TomlTable, TomlValue } from 'smol-toml';
import { normalName, readRequirement } from '../../../src-shared/notebook/requirement.ts';
import type { PackageSource } from '../../../src-shared/wire/environment.ts';
import type { ProjectFile } from '../folder/projectFile.ts';
import { isProjectEntry, isTable, parseLock, tablesIn, textOf } from '../lock/lockText.ts';

/**
 * What a project asks for and where each package comes from, by the text of its files alone. A package of the
 * configured index is `index`; everything else names who serves it.
 */
export function packageSources(
  project: Pick<ProjectFile, 'table' | 'requirements'> | null,
  lockText: string | null,
): readonly PackageSource[] {
  if (project === null) return [];
  const uv = tableIn(tableIn(project.table, 'tool'), 'uv');
  const named = new Map(
    Object.entries(tableIn(uv, 'sources')).map(([name, source]) => [normalName(name), source] as const),
  );
  const places = indexesOf(uv);
  const declared = requirementsOf(project, uv).map((text) => sourceOf(text, named, places));
  const settings = settingsOf(project.table, uv);
  const known = new Set(declared.map(({ requirement }) => nameOf(requirement)));
  return [...declared, ...settings, ...lockedElsewhere(lockText, known)];
}

/** Those that the configured index alone cannot give. */
export function fromElsewhere(sources: readonly PackageSource[]): readonly PackageSource[] {
  return sources.filter(({ kind }) => kind !== 'index');
}

/** Where one requirement of a list comes from that is not in a project yet. */
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

/** The direct ones, those of groups and extras, and what is asked of packages others need. */
function requirementsOf(project: Pick<ProjectFile, 'table' | 'requirements'>, uv: TomlTable): string[] {
  const groups = [
    ...Object.values(tableIn(tableIn(project.table, 'project'), 'optional-dependencies')),
    ...Object.values(tableIn(project.table, 'dependency-groups')),
    ...['dev-dependencies', 'override-dependencies', 'constraint-dependencies'].map((key) => uv[key]),
  ];
  return [...new Set([...project.requirements, ...groups.flatMap(textsIn)])];
}

/** Indexes of the project's own, by name. */
function indexesOf(uv: TomlTable): ReadonlyMap<string, string> {
  return new Map(tablesIn(uv['index']).map((index) => [textOf(index['name']), textOf(index['url'])]));
}

function sourceOf(
  requirement: string,
  named: ReadonlyMap<string, TomlValue>,
  indexes: ReadonlyMap<string, string>,
): PackageSource {
  const read = readRequirement(requirement);
  if (read?.url != null) return { requirement, ...placeOf(read.url) };
  const source = named.get(nameOf(requirement));
  if (source === undefined) return { requirement, kind: 'index', from: null };
  // A list gives one source for each kind of machine: the first that is not an index is shown.
  const each = (Array.isArray(source) ? tablesIn(source) : isTable(source) ? [source] : []).map((one) =>
    tableSource(one, indexes),
  );
  const shown = each.find(({ kind }) => kind !== 'other_index') ?? each[0];
  return { requirement, ...(shown ?? { kind: 'url', from: null }) };
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

/** Settings that send every package elsewhere, or that build the project to learn what it asks for. */
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

/** Of the public index, whose files have a host of their own. */
const PUBLIC_HOST = /^(pypi|files\.pythonhosted)\.org$/;

/** What a lock takes from another place than the public index, but for what the project itself says of. */
function lockedElsewhere(lockText: string | null, known: ReadonlySet<string>): readonly PackageSource[] {
  const packages = tablesIn((lockText === null ? null : parseLock(lockText))?.['package']);
  return packages
    .filter((entry) => !isProjectEntry(entry))
    .flatMap((entry) => {
      const requirement = textOf(entry['name']);
      const place = lockedPlace(entry);
      return place === null || (known.has(normalName(requirement)) && place.kind !== 'other_index')
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
  const strange = urls.find((url) => !PUBLIC_HOST.test(hostOf(url)));
  return strange === undefined ? null : { kind: 'other_index', from: strange };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

function nameOf(requirement: string): string {
  return normalName(readRequirement(requirement)?.name ?? requirement);
}
