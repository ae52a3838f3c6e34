/** Determines which unit tests a change of the checkout can affect, for `npm run check`. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './project.mjs';

/** Folders whose files import each other with a relative path that ends in the file's name. */
const SOURCES = ['src-shared', 'src-main', 'src-renderer', 'e2e'];
/** Only tests of e2e/architecture read these, and those always run. */
const READ_BY_ARCHITECTURE = /^(docs|scripts|packaging|\.ci)\/|^[^/]+\.md$/;
const ALWAYS = /^e2e\/architecture\//;
/** Matches the test files that vitest.config.ts runs. */
const UNIT_TEST = /^src-[^/]+\/.*\.test\.tsx?$|^e2e\/(architecture|simulation)\/[^/]+\.test\.ts$/;
/**
 * They decide how every test runs: its configuration, the packages, how TypeScript is translated, what runs before it.
 */
const OF_EVERY_TEST =
  /^vitest\.config\.ts$|^package-lock\.json$|(^|\/)tsconfig[^/]*\.json$|^e2e\/support\/propertySeed\.ts$|^src-renderer\/testing\/setup\.ts$/;
/**
 * A path in quotes: of an import, an export, `new URL('./worker.ts', import.meta.url)` or a program that is started.
 */
const REFERENCE = /['"`](\.{1,2}\/[^'"`\n]+)['"`]/g;

/**
 * The unit tests that a change can affect: they refer to a changed file, directly or through others.
 * @param sources path → text of every file below SOURCES, relative to the checkout
 * @param changed paths; deleted files among them
 * @returns paths, or null: all of them, because something changed that every test depends on
 */
export function affectedTests(sources, changed) {
  if (changed.some((path) => OF_EVERY_TEST.test(path))) return null;
  const readers = new Map();
  for (const [path, text] of sources) {
    for (const [, reference] of text.matchAll(REFERENCE)) {
      const target = posix.join(posix.dirname(path), reference).replace(/\/$/, '');
      readers.set(target, [...(readers.get(target) ?? []), path]);
    }
  }
  const reached = new Set([...changed, ...changed.flatMap(foldersOf), ...namedBy(sources, changed)]);
  for (const path of reached) for (const reader of readers.get(path) ?? []) reached.add(reader);
  return [...sources.keys()].filter(
    (path) => UNIT_TEST.test(path) && (ALWAYS.test(path) || reached.has(path)),
  );
}

/** The folders of a file that is not imported: tests read the harness, examples and Python programs by their folder. */
function foldersOf(path) {
  if (/\.(tsx?|mjs)$/.test(path)) return [];
  const segments = path.split('/').slice(0, -1);
  return segments.map((_segment, at) => segments.slice(0, at + 1).join('/'));
}

/** The sources that name what is at the root and changed, or the folder it is in: `join(ROOT, 'harness')`. */
function namedBy(sources, changed) {
  const outside = changed.filter((path) => !READ_BY_ARCHITECTURE.test(path));
  const names = new Set(outside.map((path) => path.split('/')[0]).filter((name) => !SOURCES.includes(name)));
  const inQuotes = [...names].flatMap((name) =>
    ["'", '"', '`'].flatMap((quote) => [`${quote}${name}${quote}`, `${quote}${name}/`]),
  );
  return [...sources.keys()].filter((path) => inQuotes.some((name) => sources.get(path).includes(name)));
}

/** Path → text of the files that may import each other. */
export function readSources() {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
      .map((entry) =>
        posix.join(folder, posix.relative(join(ROOT, folder), join(entry.parentPath, entry.name))),
      ),
  );
  return new Map(files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/**
 * The files that differ from the branch that work starts from: committed or not, new files included.
 * @returns {base, paths}, or null when there is no git, no such branch, or no difference
 */
export function changedFiles() {
  const base = ['@{upstream}', 'origin/main', 'main']
    .map((branch) => git(['merge-base', 'HEAD', branch]))
    .find((commit) => commit !== null);
  if (base === undefined) return null;
  const lists = [
    git(['diff', '--name-only', '--no-renames', base]),
    git(['ls-files', '--others', '--exclude-standard']),
  ];
  const paths = lists.flatMap((list) => list?.split('\n') ?? []).filter((path) => path !== '');
  return paths.length === 0 ? null : { base: base.slice(0, 10), paths };
}

function git(args) {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
