/** For tests: notebooks and a package index of tiny wheels, so that the real uv works without a network. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

export interface TestIndex {
  readonly root: string;
  /** An environment in which uv only sees these wheels. */
  readonly env: NodeJS.ProcessEnv;
  notebook(
    name: string,
    project: { readonly python: string; readonly dependencies: readonly string[] },
  ): Promise<string>;
  wheel(wheel: TestWheel): Promise<void>;
  removeWheel(wheel: TestWheel): Promise<void>;
  /** Adds a package without a wheel, whose build fails with this message. */
  unbuildable(name: string, message: string): Promise<void>;
  close(): Promise<void>;
}

interface TestWheel {
  readonly name: string;
  readonly version: string;
  /** Size of the module, which uv must copy; makes a sync take longer. */
  readonly padding?: number;
  readonly script?: boolean;
  /** The import name, when it differs from the name. */
  readonly module?: string;
  /** Code after the version in its module. */
  readonly code?: string;
  /** What it depends on. */
  readonly requires?: readonly string[];
}

export async function createTestIndex(): Promise<TestIndex> {
  const root = await mkdtemp(join(tmpdir(), 'svc-environment-'));
  const links = join(root, 'wheels');
  await mkdir(links);
  // An empty index: uv has no variable that disables the public one.
  const emptyIndex = join(root, 'index-of-nothing');
  await mkdir(emptyIndex);
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env)) if (/^(UV_|PIP_|VIRTUAL_ENV)/.test(name)) delete env[name];
  Object.assign(env, {
    UV_FIND_LINKS: links,
    UV_DEFAULT_INDEX: pathToFileURL(emptyIndex).href,
    UV_CACHE_DIR: join(root, 'cache'),
    UV_NO_CONFIG: '1',
  });
  const pathOf = ({ name, version }: TestWheel) => join(links, `${name}-${version}-py3-none-any.whl`);
  return {
    root,
    env,
    async notebook(name, project) {
      const dir = join(root, name);
      await mkdir(dir);
      await writeFile(join(dir, 'pyproject.toml'), projectText(name, project.python, project.dependencies));
      return dir;
    },
    wheel: (wheel) => writeWheel(links, wheel),
    async unbuildable(name, message) {
      const folder = join(root, `${name}-1.0`);
      await mkdir(folder);
      const files = {
        'PKG-INFO': `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
        'pyproject.toml': `[project]\nname = "${name}"\nversion = "1.0"\n[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n`,
        'backend.py': `def build_wheel(*_args, **_options):\n    raise SystemExit("${message}")\n`,
      };
      for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
      const archive = join(links, `${name}-1.0.tar.gz`);
      execFileSync('tar', ['-czf', archive, '-C', root, `${name}-1.0`]);
    },
    removeWheel: (wheel) => rm(pathOf(wheel)),
    close: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Makes a tiny wheel in a folder. */
export async function writeWheel(folder: string, wheel: TestWheel): Promise<void> {
  await writeFile(join(folder, `${wheel.name}-${wheel.version}-py3-none-any.whl`), wheelBytes(wheel));
}

/** The settings of the index that a server needs. */
export function indexSettings({ env }: TestIndex): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) =>
      key.startsWith('UV_') && value !== undefined ? [[key, value]] : [],
    ),
  );
}

export function projectText(name: string, python: string, dependencies: readonly string[]): string {
  return [
    '[project]',
    `name = "${name}"`,
    'version = "0.1.0"',
    'description = ""',
    `requires-python = "==${python}.*"`,
    `dependencies = ${JSON.stringify(dependencies)}`,
    '',
    '[tool.uv]',
    '',
  ].join('\n');
}

/** The uv for tests; null when there is none: then tests are skipped. */
export function uvForTests(): string | null {
  const path = process.env['SVC_UV'] ?? join(import.meta.dirname, '../../../.cache/tools/uv-0.13.8/uv');
  return existsSync(path) ? path : null;
}

function wheelBytes({
  name,
  version,
  padding,
  script,
  module = name,
  requires = [],
  code = '',
}: TestWheel): Buffer {
  const info = `${name}-${version}.dist-info`;
  const files: [string, string][] = [
    [
      `${module}.py`,
      `VERSION = "${version}"\ndef main():\n    print("${name} runs")\n${code}\n${'#'.repeat(padding ?? 0)}\n`,
    ],
    [
      `${info}/METADATA`,
      `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${requires.map((one) => `Requires-Dist: ${one}\n`).join('')}`,
    ],
    [
      `${info}/WHEEL`,
      'Wheel-Version: 1.0\nGenerator: cellar-tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ],
  ];
  if (script) files.push([`${info}/entry_points.txt`, `[console_scripts]\n${name} = ${module}:main\n`]);
  const record = files.map(([path, text]) => `${path},sha256=${digest(text)},${Buffer.byteLength(text)}`);
  return zipOf([...files, [`${info}/RECORD`, `${[...record, `${info}/RECORD,,`].join('\n')}\n`]]);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A zip archive with only the fields that readers require. */
function zipOf(files: readonly (readonly [string, string])[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of files) {
    const name = Buffer.from(path);
    const data = deflateRawSync(text);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt16LE(0x21, 8);
    shared.writeUInt32LE(crc32(text), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(Buffer.byteLength(text), 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), shared, name, data]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(0o100644 * 0x10000, 6);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 3]), shared, entry, name);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}
