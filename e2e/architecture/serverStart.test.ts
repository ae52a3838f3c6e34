/** Checks what a server loads before it listens, and what help and wrong usage load, by following static imports. */

import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** The modules that start `svc serve`: what they import is loaded before it listens. */
const START = ['src-main/cli/main.ts', 'src-main/cli/verbs/serve.ts', 'src-main/cli/servedApp.ts'];
/** What a command needs only when it does its work. */
const LOADED_FOR_WORK = ['zod', 'fastify', 'ws', 'pino', 'better-sqlite3', 'web-tree-sitter'];
/** Packages that would take megabytes of memory in every server, although only some requests need them. */
const LOADED_LATER = [
  '@duckdb/node-api',
  'apache-arrow',
  'yaml',
  'openai',
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/sdk',
  'pg',
];

const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)';/gm;

/** The static imports of a file, without types. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(STATIC_IMPORT)].map(([, to = '']) =>
    to.startsWith('.') ? posix.join(posix.dirname(file), to) : to,
  );
}

/** Each module that is loaded with `files`, with the file that imports it first. */
function loadedWith(files: readonly string[]): ReadonlyMap<string, string> {
  const importers = new Map<string, string>();
  const waiting = [...files];
  for (const file of waiting) {
    for (const to of importsOf(file)) {
      if (importers.has(to)) continue;
      importers.set(to, file);
      if (existsSync(join(ROOT, to))) waiting.push(to);
    }
  }
  return importers;
}

describe('the start of the server', () => {
  const loaded = loadedWith(START);

  it('is searched: the search finds the modules of the server', () => {
    expect(loaded.has('fastify')).toBe(true);
    expect(loaded.has('src-main/dataPlane/dataPlane.ts')).toBe(true);
  });

  it('[DP-58] loads no package that only some requests need', () => {
    const heavy = [...loaded].filter(([to]) =>
      LOADED_LATER.some((name) => to === name || to.startsWith(`${name}/`)),
    );
    expect(heavy.map(([to, from]) => `${from} imports ${to}; use import() where it is needed`)).toEqual([]);
  });

  it('[AR-63] help and wrong usage of a command load nothing that only its work needs', () => {
    const table = readFileSync(join(ROOT, 'src-main/cli/verbs.ts'), 'utf8');
    const verbs = new Set(
      [...table.matchAll(/import\('\.\/(verbs\/[^']+)'\)/g)].map(([, file = '']) => file),
    );
    expect(verbs.size).toBeGreaterThan(20);
    const early = [...verbs].flatMap((verb) =>
      [...loadedWith(['src-main/cli/main.ts', `src-main/cli/${verb}`])]
        .filter(([to]) => LOADED_FOR_WORK.includes(to))
        .map(([to, from]) => `${verb} loads ${to} by ${from}; use import() where it is needed`),
    );
    expect(early).toEqual([]);
  });

  it('imports zod as a namespace, because `import { z }` loads its messages in fifty languages', async () => {
    const lists = await Promise.all(
      ['src-main', 'src-shared', 'src-renderer'].map(async (root) =>
        (await readdir(join(ROOT, root), { recursive: true }))
          .filter((name) => /\.tsx?$/.test(name))
          .map((name) => posix.join(root, name.replaceAll('\\', '/'))),
      ),
    );
    const whole = lists
      .flat()
      .filter((file) => /import \{[^}]*\bz\b[^}]*\} from 'zod'/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(whole).toEqual([]);
  });
});
