/**
 * Checks the sources against the rules of the architecture: directions of imports, cycles, sizes of ports and files,
 * exact versions of dependencies.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { brokenRule, type Import, PURE_BUILTINS, PURE_PATHS } from './layers.ts';
import { brokenRoom, ROOMS } from './rooms.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const ROOTS = ['src-shared', 'src-main', 'src-renderer'];

async function sourceFiles(): Promise<string[]> {
  const lists = await Promise.all(
    ROOTS.map(async (root) => {
      const entries = await readdir(join(ROOT, root), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    }),
  );
  return lists.flat().sort();
}

function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.ES2022);
  const imports: Import[] = [];
  const add = (specifier: ts.Node, typeOnly: boolean): void => {
    if (!ts.isStringLiteral(specifier)) return;
    const { text } = specifier;
    const to = text.startsWith('.') ? posix.join(posix.dirname(file), text) : text;
    imports.push({ from: file, to, typeOnly });
  };
  for (const node of source.statements) {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly ?? false);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier, node.isTypeOnly);
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier) add(specifier, false);
    }
    ts.forEachChild(node, visit);
  };
  // The nodes of a file without `import()` need not be visited.
  if (/\bimport\s*\(/.test(source.text)) visit(source);
  return imports;
}

/** The names of the members of an interface. @throws Error when the file has no such interface */
function membersOf(file: string, name: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.ES2022);
  const port = source.statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === name,
  );
  if (port === undefined) throw new Error(`${file} has no interface ${name}`);
  return [...new Set(port.members.map((member) => member.name?.getText(source) ?? ''))];
}

/** Import cycles among project files, imports of types included, each reported once by its first member. */
function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at !== -1) {
      cycles.push([...path.slice(at), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const next of edges.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of edges.keys()) visit(file);
  return cycles;
}

const files = await sourceFiles();
const code = files.filter((file) => !/\.test\.tsx?$/.test(file));
const imports = code.flatMap(importsOf);

describe('architecture', () => {
  it('[AR-1] the scan finds the files of the project', () => {
    expect(code.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(code.length);
  });

  it('[AR-2] every import goes downwards', () => {
    const broken = imports.flatMap((edge) => {
      const why = brokenRule(edge);
      return why === null ? [] : [`${edge.from} -> ${edge.to}: ${why}`];
    });
    expect(broken).toEqual([]);
  });

  it('[AR-17] within a folder with subfolders, values come from subfolders below', () => {
    const broken = imports.flatMap((edge) => {
      const why = brokenRoom(edge);
      return why === null ? [] : [`${edge.from} -> ${edge.to}: ${why}`];
    });
    expect(broken).toEqual([]);
  });

  it('[AR-44] within such a folder, types also come from subfolders below', () => {
    const roomImports = imports.filter((edge) =>
      Object.keys(ROOMS).some((room) => edge.from.startsWith(`${room}/`)),
    );
    expect(roomImports.length).toBeGreaterThan(1500);
    expect(roomImports.filter((edge) => brokenRoom({ ...edge, typeOnly: false }) !== null)).toEqual([]);
  });

  it.each([
    ['src-main/session/api.ts', 'Session'],
    ...readdirSync(join(ROOT, 'src-main/session/views')).map((name) => [
      `src-main/session/views/${name}`,
      `${name[0]?.toUpperCase()}${name.slice(1, -'.ts'.length)}`,
    ]),
  ])('[AR-45] %s: the port %s has at most ten members, the session eight', (file, port) => {
    const members = membersOf(file, port);
    expect(members.length).toBeGreaterThan(0);
    expect(members.length).toBeLessThanOrEqual(port === 'Session' ? 8 : 10);
  });

  it('[AR-3] there are no import cycles', () => {
    const edges = new Map(code.map((file) => [file, [] as string[]]));
    for (const { from, to } of imports) if (edges.has(to)) edges.get(from)?.push(to);
    expect(cyclesOf(edges)).toEqual([]);
  });

  it('[AR-4] decision code does no I/O', () => {
    const impure = imports.filter(
      ({ from, to }) =>
        PURE_PATHS.some((path) => path.test(from)) && to.startsWith('node:') && !PURE_BUILTINS.has(to),
    );
    expect(impure).toEqual([]);
  });

  it('[AR-5] there are no default exports, index barrels and folders called utils', () => {
    const bad = code.filter((file) => {
      if (/(^|\/)index\.tsx?$/.test(file) || file.includes('/utils/')) return true;
      return /\.config\.ts$/.test(file)
        ? false
        : /^export default /m.test(readFileSync(join(ROOT, file), 'utf8'));
    });
    expect(bad).toEqual([]);
  });

  it('[AR-6] dependency versions are exact', () => {
    const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {}).filter(
        ([, version]) => !/^(?:npm:[\w@/.-]+@)?\d+\.\d+\.\d+[\w.+-]*$/.test(version),
      ),
    );
    expect(loose).toEqual([]);
  });

  it('[AR-7] no file has more than 500 lines', () => {
    const long = code
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n').length] as const)
      .filter(([, lines]) => lines > 500);
    expect(long).toEqual([]);
  });
});
