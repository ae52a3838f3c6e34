/** Interprets the listing of an object store as the file or folder that a remote mount refers to. */

import { createHash } from 'node:crypto';
import type { RemoteObject } from './objectStore.ts';

/** The objects at a mount's prefix: one object, or a folder of them by relative path. */
export type Listing =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly object: RemoteObject }
  | { readonly kind: 'folder'; readonly objects: ReadonlyMap<string, RemoteObject> }
  | { readonly kind: 'bad'; readonly problem: string };

/**
 * Interprets a store's listing. `prefix` itself is a file unless there are objects below it; keys that only
 * share its first letters do not belong to it, and keys that end in a slash mark empty folders.
 */
export function listingOf(prefix: string, objects: readonly RemoteObject[]): Listing {
  const below = prefix === '' ? '' : `${prefix}/`;
  const files = new Map<string, RemoteObject>();
  let exact: RemoteObject | null = null;
  for (const object of objects) {
    if (object.key === prefix) exact = object;
    else if (object.key.startsWith(below) && !object.key.endsWith('/')) {
      const path = object.key.slice(below.length);
      if (!isSafePath(path)) {
        return {
          kind: 'bad',
          problem: `The object "${object.key}" has a name that leads out of its folder.`,
        };
      }
      files.set(path, object);
    }
  }
  if (files.size === 0) return exact === null ? { kind: 'nothing' } : { kind: 'file', object: exact };
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  for (const path of sorted.keys()) {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (sorted.has(folder)) {
        return {
          kind: 'bad',
          problem: `"${below}${folder}" is both an object and a folder, which cannot be stored on disk.`,
        };
      }
    }
  }
  return { kind: 'folder', objects: sorted };
}

/** Whether a path stays below its target folder, on any system (docs/spec/outside-data.md, 1). */
function isSafePath(path: string): boolean {
  if (/[\\\0]/.test(path) || /^[a-zA-Z]:/.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/**
 * The fingerprint of a listing: sorted name, size, etag and change time (docs/spec/outside-data.md, 1); null for an
 * empty listing.
 */
export function printOf(listing: Listing): string | null {
  switch (listing.kind) {
    case 'file':
      return digest([lineOf('', listing.object)]);
    case 'folder':
      return digest([...listing.objects].map(([path, object]) => lineOf(path, object)));
    case 'nothing':
    case 'bad':
      return null;
    default:
      return listing satisfies never;
  }
}

function lineOf(path: string, { size, etag, modified }: RemoteObject): string {
  return `${path}:${size}:${etag}:${modified}`;
}

function digest(lines: readonly string[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest('hex');
}
