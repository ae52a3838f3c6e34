/** Named credentials that the server stores outside of notebooks, so that notebooks only contain their names. */

import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { errnoOf, writeFileAtomic } from '../../lib/atomicFile.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';

type Named = Readonly<Record<string, unknown>>;

/** Named credentials of this server: those from its configuration, and those moved out of notebooks. */
export interface StoredCredentials {
  /** The fields by name, as they are now. */
  readonly named: Named | null;
  /** Every text in the credentials moved here: secrets that the server must hide. */
  values(): readonly string[];
  /**
   * Stores fields under a name, with a number if the name is in use with other fields. @returns the name
   * @throws AppError if this server cannot store credentials
   */
  keep(name: string, fields: Named): Promise<string>;
}

/**
 * Opens the store.
 * @param path the file, readable by the owner only; null if the server stores none
 * @param configured SVC_NOTEBOOK_CREDENTIALS, which take precedence
 */
export function openStoredCredentials(
  path: string | null,
  {
    configured,
    onProblem,
  }: { readonly configured: Named | null; readonly onProblem: (message: string) => void },
): StoredCredentials {
  let stored: Named = path === null ? {} : readKept(path, onProblem);
  const inTurn = createSerialRunner();
  const credentials = (): Named | null => {
    const all = { ...stored, ...configured };
    return Object.keys(all).length === 0 ? configured : all;
  };
  return {
    get named() {
      return credentials();
    },
    values: () => Object.values(stored).flatMap(textsIn),
    keep: (name, fields) =>
      inTurn(async () => {
        if (path === null)
          throw new AppError(
            'bad_request',
            'This server cannot store credentials. Set SVC_ARTIFACT_DIR on the server.',
          );
        const all = credentials() ?? {};
        let free = name;
        for (let count = 2; Object.hasOwn(all, free) && !isDeepStrictEqual(all[free], fields); count += 1) {
          free = `${name}_${count}`;
        }
        if (Object.hasOwn(all, free)) return free;
        const next = { ...stored, [free]: fields };
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFileAtomic(path, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
        stored = next;
        return free;
      }),
  };
}

/** The credentials of a server with only the configured ones. */
export function configuredCredentials(configured: Named | null): StoredCredentials {
  return openStoredCredentials(null, { configured, onProblem: () => undefined });
}

function readKept(path: string, onProblem: (message: string) => void): Named {
  try {
    const data: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { ...data };
    onProblem(`${path} is not a valid credentials file: it is not a JSON object.`);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return {};
    onProblem(
      `The credentials in ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  return {};
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
