/** Reads a notebook's pyproject.toml. */

import { createHash } from 'node:crypto';
import { parse, type TomlTable } from 'smol-toml';
import type { Dependency } from '../../../src-shared/wire/environment.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { READ_LIMITS } from '../../lib/guardedFolder/limits.ts';
import { placeIn, type Target } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { isLinkRefusal } from '../../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { isTooDeep, MAX_TOML_DEPTH } from '../../notebook/toml/tomlDepth.ts';
import { isTable, textOf } from '../lock/lockText.ts';

/**
 * The requirements in a notebook's pyproject.toml. `problem` says what is wrong with it; then the other fields are
 * empty.
 */
export interface ProjectFile {
  readonly sha256: string;
  readonly requiresPython: string;
  readonly dependencies: readonly Dependency[];
  /** The dependencies as written in the file. */
  readonly requirements: readonly string[];
  readonly problem: string | null;
  /** The content of the whole file. */
  readonly table: TomlTable;
}

/** Reads `<dir>/pyproject.toml`; null when there is none. @throws other system errors */
export async function readProjectFile(dir: NotebookFolder): Promise<ProjectFile | null> {
  try {
    const bytes = await readIfThere(placeIn(dir, 'pyproject.toml'));
    return bytes === null ? null : projectOf(bytes);
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
    return unreadable('', error.message);
  }
}

/**
 * The bytes of a file; null when there is none.
 * @throws PlaceRefusal for a link, for anything but a regular file, and for a file that is too large
 */
export async function readIfThere(target: Target): Promise<Buffer | null> {
  return readFileAt(target, { maxBytes: READ_LIMITS.text }).catch(nullIfMissing);
}

function unreadable(sha256: string, problem: string): ProjectFile {
  return { sha256, requiresPython: '', dependencies: [], requirements: [], problem, table: {} };
}

function projectOf(bytes: Buffer): ProjectFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  try {
    const table = parse(bytes.toString('utf8'));
    if (isTooDeep(table)) throw new Error(`tables are nested more than ${MAX_TOML_DEPTH} levels deep`);
    const { project } = table;
    const fields = isTable(project) ? project : {};
    const { dependencies } = fields;
    const requirements = Array.isArray(dependencies) ? dependencies.map(textOf) : [];
    return {
      sha256,
      requiresPython: textOf(fields['requires-python']),
      dependencies: requirements.map(dependencyOf),
      requirements,
      problem: null,
      table,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return unreadable(sha256, `pyproject.toml cannot be read: ${reason}`);
  }
}

/** `pandas[excel] >=2; marker` → name `pandas`, specifier `>=2`. Version is null, since the project file has none. */
function dependencyOf(requirement: string): Dependency {
  const match = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;@]*)/.exec(requirement);
  const specifier = (match?.[2] ?? '').replace(/^\(|\)$/g, '').trim();
  return { name: match?.[1] ?? requirement, version: null, specifier: specifier === '' ? null : specifier };
}
