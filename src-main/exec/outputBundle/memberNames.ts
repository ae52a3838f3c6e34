/** Checks the names of the files in an output bundle from a worker, so that none leads out of its folder. */

import type { Header } from 'tar-stream';
import { BundleProblem } from './bundleProblem.ts';

/** Folders of values; only members below them may be links, and only to each other. */
export const VALUE_FOLDERS = /^(outputs|display|files)\/./;

/**
 * The member's name; null for a folder, which has no content.
 * @throws BundleProblem for a name outside the bundle, and for anything but a file, a folder or a hard link
 */
export function nameOf(header: Header): string | null {
  const isFolder = header.type === 'directory';
  if (isFolder) {
    const name = withoutDot(header.name);
    const leadsOut = name.startsWith('/') || name.split('/').includes('..') || /^[a-zA-Z]:/.test(name);
    if (leadsOut) throw outside(header.name);
    return null;
  }
  if (header.type === 'link') {
    const name = plainName(header.name);
    if (!VALUE_FOLDERS.test(name)) throw noPlainFile(header);
    return name;
  }
  if (header.type !== 'file' && header.type !== 'contiguous-file') throw noPlainFile(header);
  return plainName(header.name);
}

/**
 * The name of the member that a hard link refers to.
 * @throws BundleProblem for a target outside the bundle or that is no value, and for a link with content
 */
export function linkTargetOf(header: Header): string {
  if ((header.size ?? 0) !== 0) {
    throw new BundleProblem(`The link ${quotedName(header.name)} of the output bundle has bytes of its own.`);
  }
  const target = plainName(header.linkname ?? '');
  if (!VALUE_FOLDERS.test(target)) throw noPlainFile(header);
  return target;
}

/** A name as messages show it: quoted and shortened. */
export function quotedName(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

/** @throws BundleProblem for any path that is not a simple relative path inside the bundle */
function plainName(text: string): string {
  const name = withoutDot(text);
  const isSafe =
    name !== '' &&
    !/[\\\0]/.test(name) &&
    !/^[a-zA-Z]:/.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isSafe) throw outside(text);
  return name;
}

function withoutDot(name: string): string {
  return name.replace(/^(\.\/)+/, '');
}

function outside(name: string): BundleProblem {
  return new BundleProblem(`The output bundle contains a path outside itself: ${quotedName(name)}.`);
}

function noPlainFile({ name, type }: Header): BundleProblem {
  return new BundleProblem(
    `The output bundle holds ${quotedName(name)}, which is not a regular file (${type}).`,
  );
}
