import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './project.mjs';

/** Folders whose files import each other with a relative path that ends in the file's name. */
const SOURCES = ['src-shared', 'src-main', 'src-renderer', 'e2e'];
/** Changes of these concern no unit test but those of e2e/architecture, which are always run. */
const NEVER_IMPORTED = /^(docs|scripts|packaging|\.ci)\/|^[^/]+\.md$|^e2e\/(?!architecture|simulation)/;
const ALWAYS = /^e2e\/architecture\//;
/** What vitest.config.ts runs. */
const UNIT_TEST = /^src-[^/]+\/.*\.test\.tsx?$|^e2e\/(architecture|simulation)\/[^/]+\.test\.ts$/;
/** Run before every test. */
const SETUP = ['e2e/support/propertySeed.ts', 'src-renderer/testing/setup.ts'];
/** A path in quotes: of an import, an export, `new URL('./worker.ts', import.meta.url)` or a program that is started. */
const REFERENCE = /['"`](\.{1,2}\/[^'"`\n]+)['"`]/g;

/**
 * The unit tests that a change can affect: they refer to a changed file, directly or through others.
 * @param sources path → text of every file below SOURCES, relative to the checkout
 * @param changed paths; deleted files among them
 * @returns paths, or null: all of them, because something changed that is not imported (the harness, an example, a package)
 */
export function affectedTests(sources, changed) {
  const isOutside = (path) => !NEVER_IMPORTED.test(path) && !SOURCES.includes(path.split('/')[0]);
  if (changed.some((path) => isOutside(path) || SETUP.includes(path))) return null;
  const readers = new Map();
  for (const [path, text] of sources) {
    for (const [, reference] of text.matchAll(REFERENCE)) {
      const target = posix.join(posix.dirname(path), reference);
      readers.set(target, [...(readers.get(target) ?? []), path]);
    }
  }
  const reached = new Set(changed);
  for (const path of reached) for (const reader of readers.get(path) ?? []) reached.add(reader);
  return [...sources.keys()].filter(
    (path) => UNIT_TEST.test(path) && (ALWAYS.test(path) || reached.has(path)),
  );
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
