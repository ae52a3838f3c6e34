/** Finds the pyproject.toml with the configuration of the program, and reads its `[tool.svc]` table. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { isObject } from './codec.ts';
import { ConfigError } from './configError.ts';

interface ProjectFile {
  readonly path: string;
  /** The `[tool.svc]` table; empty if the file has none. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * The nearest pyproject.toml from `cwd` upward, or null (docs/spec/configuration.md, 1).
 * @throws ConfigError when the file is invalid TOML or `tool.svc` is not a table
 */
export function findProjectFile(cwd: string): ProjectFile | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, 'pyproject.toml');
    const content = readIfThere(path);
    if (content !== null) return { path, settings: settingsOf(content, path) };
    if (dirname(folder) === folder) return null;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    throw new ConfigError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function settingsOf(content: string, path: string): Readonly<Record<string, unknown>> {
  let document: unknown;
  try {
    document = parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError(
      `${path} is not valid TOML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const tool = isObject(document) ? document['tool'] : undefined;
  const settings = isObject(tool) ? tool['svc'] : undefined;
  if (settings === undefined) return {};
  if (!isObject(settings)) throw new ConfigError(`${path}: tool.svc must be a table.`);
  return settings;
}
