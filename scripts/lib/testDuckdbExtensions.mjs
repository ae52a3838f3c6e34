/** Installs DuckDB's extensions that read Iceberg tables, for the tests of catalogs. */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, ROOT, say } from './project.mjs';
import { run } from './run.mjs';

const REQUIREMENTS = join(ROOT, 'harness', 'python', 'requirements-duckdb.txt');
const EXTENSIONS = ['httpfs', 'avro', 'iceberg'];
const SYSTEMS = { linux: 'linux', darwin: 'osx', win32: 'windows' };
const PROCESSORS = { x64: 'amd64', arm64: 'arm64' };

/**
 * Installs them from pinned, hash-checked wheels into `.cache/`, in DuckDB's folder layout.
 * @returns the value for its setting `extension_directory`, or null if there are none for this machine
 */
export async function ensureDuckdbExtensions(uv) {
  const text = readFileSync(REQUIREMENTS, 'utf8');
  const version = /duckdb-extension-iceberg==([\d.]+)/.exec(text)?.[1] ?? '';
  const folder = join(CACHE, 'test-duckdb');
  const extensionsFolder = join(folder, 'extensions');
  const stamp = join(folder, '.cellar-stamp');
  const digest = createHash('sha256').update(text).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return extensionsFolder;
  if (uv === null) return null;
  say('installing what the tests of catalogs need (requirements-duckdb.txt) …');
  rmSync(folder, { recursive: true, force: true });
  const wheels = join(folder, 'wheels');
  const args = [
    'pip',
    'install',
    '--quiet',
    '--no-config',
    '--require-hashes',
    '--no-deps',
    '--only-binary',
    ':all:',
  ];
  const code = await run(uv, [...args, '--target', wheels, '-r', REQUIREMENTS], {
    env: { UV_SYSTEM_CERTS: '1', UV_NO_PROGRESS: '1', VIRTUAL_ENV: undefined },
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) {
    say(`DuckDB's extensions could not be installed (exit code ${code}): the tests of catalogs are skipped.`);
    return null;
  }
  const place = join(
    extensionsFolder,
    `v${version}`,
    `${SYSTEMS[process.platform]}_${PROCESSORS[process.arch]}`,
  );
  mkdirSync(place, { recursive: true });
  for (const name of EXTENSIONS) {
    const file = `${name}.duckdb_extension`;
    copyFileSync(
      join(wheels, `duckdb_extension_${name}`, 'extensions', `v${version}`, file),
      join(place, file),
    );
  }
  rmSync(wheels, { recursive: true, force: true });
  writeFileSync(stamp, digest);
  return extensionsFolder;
}
