/** Parses and makes the URIs of mounts, and adds `# @mount` lines to cells. */

import { isIdentifier, readDirectives, wordsOf } from './directives.ts';

/** The target of a mount's uri. */
export type MountPlace =
  /** A file or folder of this machine; a relative path is relative to the notebook's folder. */
  | { readonly kind: 'local'; readonly path: string; readonly relative: boolean }
  | {
      readonly kind: 'remote';
      readonly scheme: RemoteScheme;
      readonly container: string;
      /** Without a slash at either end; empty for the whole container. */
      readonly prefix: string;
    }
  | { readonly kind: 'unsupported'; readonly problem: string };

type RemoteScheme = 's3' | 'gs' | 'az';

const REMOTE: Readonly<Record<string, RemoteScheme>> = {
  s3: 's3',
  gs: 'gs',
  gcs: 'gs',
  az: 'az',
  azure: 'az',
};

/**
 * Parses a mount's uri: `file:///abs`, `file://./from/the/notebook`, `s3://bucket/prefix`, `gs://`, `az://`;
 * a path without a scheme is local too (docs/spec/outside-data.md). Percent encoding is decoded in `file://` uris only.
 */
export function placeOf(uri: string): MountPlace {
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\/(.*)$/s.exec(uri);
  if (match === null) return localPlace(uri, uri);
  const scheme = (match[1] ?? '').toLowerCase();
  const rest = match[2] ?? '';
  if (scheme === 'file') return filePlace(uri, rest);
  const remote = Object.hasOwn(REMOTE, scheme) ? REMOTE[scheme] : undefined;
  if (remote === undefined) {
    return unsupported(`"${uri}" cannot be mounted: use file, s3, gs or az instead of ${scheme}`);
  }
  const slash = rest.indexOf('/');
  const container = slash < 0 ? rest : rest.slice(0, slash);
  if (container === '') return unsupported(`"${uri}" has no ${remote === 'az' ? 'container' : 'bucket'}`);
  const prefix = slash < 0 ? '' : rest.slice(slash + 1).replace(/^\/+|\/+$/g, '');
  return { kind: 'remote', scheme: remote, container, prefix };
}

function filePlace(uri: string, rest: string): MountPlace {
  let path: string;
  try {
    path = decodeURIComponent(rest);
  } catch (_notEncoded) {
    path = rest;
  }
  if (/^\.{1,2}(\/|$)/.test(path)) return { kind: 'local', path, relative: true };
  const ours = path.startsWith('localhost/') ? path.slice('localhost'.length) : path;
  if (!ours.startsWith('/')) {
    const host = ours.split('/')[0] ?? '';
    return unsupported(
      `"${uri}" contains a host "${host}": use file:///… for a path on this machine, or file://./… for a path in the notebook folder`,
    );
  }
  // `file:///C:/data` is `C:/data`.
  return localPlace(uri, /^\/[a-zA-Z]:(\/|$)/.test(ours) ? ours.slice(1) : ours);
}

function localPlace(uri: string, path: string): MountPlace {
  if (path.trim() === '') return unsupported(`"${uri}" has no path`);
  if (path.includes('\0')) return unsupported('a path cannot contain a NUL character');
  return { kind: 'local', path, relative: !/^([\\/]|[a-zA-Z]:[\\/])/.test(path) };
}

function unsupported(problem: string): MountPlace {
  return { kind: 'unsupported', problem };
}

/**
 * The uri of a path relative to the notebook's folder, as in the fix of an untracked read:
 * `file://./data/x.csv`.
 */
export function relativeMountUri(path: string): string {
  const clean = path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
  const encoded = clean.split('/').map(encodeURIComponent).join('/');
  return clean === '..' || clean.startsWith('../') ? `file://${encoded}` : `file://./${encoded}`;
}

interface MountLine {
  readonly name: string;
  readonly uri: string;
  readonly mode?: 'ro' | 'rw';
}

/**
 * Adds a `# @mount` line to a cell's source, after its last directive or at the top; a line with the same
 * name is replaced. Line ends are kept. @throws RangeError for a name or a uri that does not fit on one line
 */
export function withMount(source: string, { name, uri, mode = 'ro' }: MountLine): string {
  if (!isIdentifier(name) || uri === '' || /\s/.test(uri)) {
    throw new RangeError(`a @mount line cannot contain ${JSON.stringify({ name, uri })}`);
  }
  const end = source.includes('\r\n') ? '\r\n' : '\n';
  const lines = source.split(end);
  const directives = readDirectives(source);
  const line = `# @mount ${name} ${uri}${mode === 'rw' ? ' rw' : ''}`;
  const existing = directives.find((one) => one.key === 'mount' && wordsOf(one.argument)[0] === name);
  if (existing !== undefined)
    return lines.map((text, at) => (at === existing.line - 1 ? line : text)).join(end);
  const last = directives.at(-1)?.line ?? 0;
  return [...lines.slice(0, last), line, ...lines.slice(last)].join(end);
}

/** A name for a path that no name in `usedNames` has: `data/trips 2024.csv` is `trips_2024`. */
export function mountNameFor(path: string, usedNames: ReadonlySet<string>): string {
  const base = path.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? '';
  const word = base
    .replace(/\.[^.]*$/, '')
    .replace(/[^a-zA-Z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const name = /^[a-zA-Z]/.test(word) ? word : `data_${word}`.replace(/_$/, '');
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}_${count}`;
    if (!usedNames.has(candidate)) return candidate;
  }
}
