/** The catalogs of Iceberg tables that a server knows: configured ones and those attached in the window. */

import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { CatalogProperties } from '../../iceberg/catalog/openCatalog.ts';
import type { Warehouses } from '../../iceberg/openTable.ts';
import { errnoOf, writeFileAtomic } from '../../lib/atomicFile.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import type { Logger } from '../../observe/log.ts';
import { PlaneRefusal } from '../planeRefusal.ts';
import {
  hasPassword,
  isReference,
  isSecret,
  type TypedProperties,
  withoutSecrets,
  withVariables,
} from './catalogProperties.ts';

/** A catalog as the window shows it: without secrets. */
export interface OfferedCatalog {
  readonly name: string;
  /** Defined by the settings of the server, or attached from the window. */
  readonly from: 'settings' | 'window';
  readonly properties: TypedProperties;
  /** The names of properties whose value is not shown. */
  readonly secrets: readonly string[];
  /** Why it cannot be used now; null if no problem is known. */
  readonly problem: string | null;
}

/**
 * The catalogs of a server: those of its settings, and those that a user attached. The latter are stored in a file of
 * the artifact folder; entered secrets stay in memory, and the file has only their names.
 */
export interface AttachedCatalogs {
  list(): Promise<readonly OfferedCatalog[]>;
  /**
   * Adds a catalog, or replaces one that was attached.
   * @param properties null for a secret keeps the current one. @throws PlaneRefusal 400, 403 with what to do
   */
  attach(name: string, properties: Readonly<Record<string, string | null>>): Promise<void>;
  /** @throws PlaneRefusal 404, or 403 for one of the settings */
  detach(name: string): Promise<void>;
  /** The properties for reading tables, with the variables of the server filled in. */
  warehouses(): Promise<Warehouses>;
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;
const MAX_CATALOGS = 200;

/** The content of the file; a secret is null there. */
const storedCatalogs = z.record(z.string(), z.record(z.string(), z.string().nullable()));
type Stored = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

export function createAttachedCatalogs(
  configured: Warehouses,
  {
    path,
    env,
    log,
  }: {
    /** The file; null: nothing is stored. */
    readonly path: string | null;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly log: Pick<Logger, 'warn'>;
  },
): AttachedCatalogs {
  const inTurn = createSerialRunner();
  /** Entered secrets, by catalog and property. */
  const typedSecrets = new Map<string, Readonly<Record<string, string>>>();
  let inMemory: Stored = {};
  const isConfigured = (name: string): boolean =>
    Object.hasOwn(configured.catalogs, name) && Object.keys(configured.catalogs[name] ?? {}).length > 0;

  const read = async (): Promise<Stored> => {
    if (path === null) return inMemory;
    try {
      return storedCatalogs.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw unreadable(path, error);
      return {};
    }
  };
  const write = async (after: Stored): Promise<void> => {
    inMemory = after;
    if (path === null) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(path, JSON.stringify(after, null, 2), { mode: 0o600 });
  };
  /** The catalog ready for use, or the reason why it cannot be used. */
  const resolved = (
    name: string,
    stored: Stored[string],
  ): { readonly properties: CatalogProperties } | { readonly problem: string } => {
    const own = typedSecrets.get(name) ?? {};
    const lostKeys = Object.keys(stored).filter((key) => stored[key] === null && own[key] === undefined);
    if (lostKeys.length > 0) {
      return {
        problem: `The catalog "${name}" needs its ${lostKeys.join(', ')} again, because values typed there are never stored. Edit the catalog and enter it, or use a variable such as \${NAME}.`,
      };
    }
    const texts = Object.entries(stored).map(([key, value]) => [key, value ?? own[key] ?? ''] as const);
    const filled = withVariables(Object.fromEntries(texts), env);
    if (!('missing' in filled)) return filled;
    return {
      problem: `The catalog "${name}" needs ${filled.missing.join(', ')}, which ${filled.missing.length === 1 ? 'is' : 'are'} not set. Set ${filled.missing.length === 1 ? 'it' : 'them'} where the server is started.`,
    };
  };

  return {
    async list() {
      const attached = await read();
      const ofSettings = Object.entries(configured.catalogs)
        .filter(([name]) => isConfigured(name))
        .map(([name, properties]): OfferedCatalog => {
          return { name, from: 'settings', ...withoutSecrets(properties), problem: null };
        });
      const ofWindow = Object.entries(attached).map(([name, stored]): OfferedCatalog => {
        const ready = resolved(name, stored);
        const texts = Object.entries(stored).flatMap(([key, value]) =>
          value === null ? [] : [[key, value]],
        );
        return {
          name,
          from: 'window',
          properties: Object.fromEntries(texts),
          secrets: Object.keys(stored).filter((key) => stored[key] === null),
          problem: 'problem' in ready ? ready.problem : null,
        };
      });
      return [...ofSettings, ...ofWindow].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    attach: (name, properties) =>
      inTurn(async () => {
        if (!NAME.test(name)) {
          throw refused(
            `${JSON.stringify(name)} is not a valid catalog name. Use letters, digits, _ and -, and begin with a letter.`,
          );
        }
        if (isConfigured(name)) {
          throw new PlaneRefusal(403, `The catalog "${name}" is defined by the settings of the server.`);
        }
        const before = await read();
        if (!Object.hasOwn(before, name) && Object.keys(before).length >= MAX_CATALOGS) {
          throw refused(`There are ${MAX_CATALOGS} catalogs already. Remove one first.`);
        }
        const stored: Record<string, string | null> = {};
        const secrets: Record<string, string> = {};
        for (const [key, value] of Object.entries(properties)) {
          if (value === '') continue;
          if (value === null) {
            const typedSecret = typedSecrets.get(name)?.[key];
            const old = before[name]?.[key];
            if (typedSecret !== undefined) secrets[key] = typedSecret;
            if (old !== undefined) stored[key] = old;
          } else if (isSecret(key) && !isReference(value)) {
            secrets[key] = value;
            stored[key] = null;
          } else if (hasPassword(value)) {
            throw refused(
              `The address has a password, which would be stored. Set a variable where the server is started, and write \${NAME} in its place.`,
            );
          } else stored[key] = value;
        }
        await write({ ...before, [name]: stored });
        typedSecrets.set(name, secrets);
      }),
    detach: (name) =>
      inTurn(async () => {
        if (isConfigured(name)) {
          throw new PlaneRefusal(
            403,
            `The catalog "${name}" is defined by the settings of the server. Remove it there.`,
          );
        }
        const { [name]: removed, ...others } = await read();
        if (removed === undefined) throw new PlaneRefusal(404, `No catalog "${name}" is attached.`);
        await write(others);
        typedSecrets.delete(name);
      }),
    async warehouses() {
      let attached: Stored = {};
      try {
        attached = await read();
      } catch (error) {
        // The catalogs of the settings can still be used.
        log.warn({ err: error }, 'the attached catalogs could not be read');
      }
      const catalogs: Record<string, CatalogProperties> = { ...configured.catalogs };
      const problems: Record<string, string> = {};
      for (const [name, stored] of Object.entries(attached)) {
        if (isConfigured(name)) continue;
        const ready = resolved(name, stored);
        if ('problem' in ready) problems[name] = ready.problem;
        else catalogs[name] = ready.properties;
      }
      return { ...configured, catalogs, problems };
    },
  };
}

function refused(message: string): PlaneRefusal {
  return new PlaneRefusal(400, message);
}

function unreadable(path: string, cause: unknown): PlaneRefusal {
  const message = `The list of attached catalogs cannot be read: ${path} is damaged. Repair or delete the file.`;
  const refusal = new PlaneRefusal(503, message);
  refusal.cause = cause;
  return refusal;
}
