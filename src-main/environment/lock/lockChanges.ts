/** Compares two uv.lock files: the packages added, removed and changed, for previews and undo of environment jobs. */

import type { TomlTable } from 'smol-toml';
import { isProjectEntry, isTable, parseLock, tablesIn, textOf } from './lockText.ts';

/** A package that was added to a lock, removed from it, or has another version. */
export interface PackageChange {
  readonly name: string;
  /** Null: it was added. */
  readonly from: string | null;
  /** Null: it was removed. */
  readonly to: string | null;
  /** The largest possible download according to the lock; null when it has no size, and for a removed package. */
  readonly bytes: number | null;
}

/** Properties of a machine that decide which wheels can be installed. */
interface WheelTarget {
  /** The Python version, such as `3.12`. */
  readonly python: string;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** The differences of two locks, by name; an invalid lock counts as empty. */
export function lockChanges(
  before: string | null,
  after: string | null,
  target: WheelTarget,
): readonly PackageChange[] {
  const oldPackages = packagesOf(before);
  const newPackages = packagesOf(after);
  const names = [...new Set([...oldPackages.keys(), ...newPackages.keys()])].sort();
  return names.flatMap((name) => {
    const from = oldPackages.get(name);
    const to = newPackages.get(name);
    if (versionOf(from) === versionOf(to)) return [];
    return [
      {
        name,
        from: versionOf(from),
        to: versionOf(to),
        bytes: to === undefined ? null : downloadSize(to, target),
      },
    ];
  });
}

/** One entry per name: for a package with several versions (for several platforms) the last one counts. */
function packagesOf(lock: string | null): ReadonlyMap<string, TomlTable> {
  const parsed = lock === null ? null : parseLock(lock);
  const entries = tablesIn(parsed?.['package']).filter((entry) => !isProjectEntry(entry));
  return new Map(entries.map((entry) => [textOf(entry['name']), entry]));
}

function versionOf(entry: TomlTable | undefined): string | null {
  return entry === undefined ? null : textOf(entry['version']);
}

function downloadSize(entry: TomlTable, target: WheelTarget): number | null {
  const wheels = tablesIn(entry['wheels']).filter((wheel) => fits(fileName(wheel), target));
  const sizes = wheels.map(sizeOf).filter((size) => size !== null);
  if (sizes.length > 0) return Math.max(...sizes);
  const { sdist } = entry;
  return isTable(sdist) ? sizeOf(sdist) : null;
}

function fileName(wheel: TomlTable): string {
  const from = textOf(wheel['url']) || textOf(wheel['path']);
  return from.slice(from.lastIndexOf('/') + 1);
}

function sizeOf(file: TomlTable): number | null {
  const { size } = file;
  return typeof size === 'bigint' || typeof size === 'number' ? Number(size) : null;
}

const MACHINES: Readonly<Record<string, RegExp>> = {
  x64: /x86_64|amd64|universal2|any$/,
  arm64: /aarch64|arm64|universal2|any$/,
};
const SYSTEMS: Partial<Record<NodeJS.Platform, RegExp>> = {
  linux: /manylinux|^linux|any$/,
  darwin: /macosx|any$/,
  win32: /^win|any$/,
};

/** Whether a wheel fits the machine, by its file name `name-version(-build)-python-abi-platform.whl` (PEP 427). */
function fits(file: string, { python, platform, arch }: WheelTarget): boolean {
  const [tags, abi, pythons] = file
    .replace(/\.whl$/, '')
    .split('-')
    .reverse();
  if (tags === undefined || abi === undefined || pythons === undefined) return false;
  const minor = python.replace('.', '');
  const isOfPython =
    pythons.split('.').some((tag) => tag === `cp${minor}` || tag === 'py3' || tag === 'py2.py3') ||
    abi.split('.').includes('abi3');
  const machine = MACHINES[arch];
  const system = SYSTEMS[platform];
  return isOfPython && (machine?.test(tags) ?? true) && (system?.test(tags) ?? true);
}
