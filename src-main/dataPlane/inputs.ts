/** Resolves the inputs (tables, artifacts, names) of a data plane request to fixed versions. */

import { RegistryError } from '../registry/registryError.ts';
import type { RegistryService } from '../registry/registryService.ts';
import type { Party } from '../registry/versionRow.ts';
import { ERROR_MARK } from './changedInputs.ts';
import { PlaneRefusal, refusalOf } from './planeRefusal.ts';
import { isTableInput, type PinnedTable, type Tables } from './tableVersion.ts';

/** An input with the version that a build reads. */
export type ResolvedInput =
  | { readonly kind: 'table'; readonly uri: string; readonly version: string; readonly pinned: PinnedTable }
  | { readonly kind: 'artifact'; readonly uri: string; readonly version: string };

export interface Inputs {
  /** @throws PlaneRefusal, RegistryError */
  resolve(uri: string, party: Party, signal: AbortSignal): Promise<ResolvedInput>;
  /** Resolves several inputs; if one fails, the opened ones are closed. */
  resolveAll(uris: readonly string[], party: Party, signal: AbortSignal): Promise<readonly ResolvedInput[]>;
  /** The version of each input, or `<error: …>`. */
  describe(
    uris: readonly string[],
    party: Party,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>>;
}

export function createInputs(tables: Tables, service: RegistryService): Inputs {
  const resolve = async (uri: string, party: Party, signal: AbortSignal): Promise<ResolvedInput> => {
    if (isTableInput(uri)) {
      const pinned = await tables.pin(uri, null, signal);
      return { kind: 'table', uri, version: pinned.version, pinned };
    }
    const registry = await service.open();
    const versions = registry.resolveInputs([uri], party);
    return { kind: 'artifact', uri, version: versions[uri] ?? '' };
  };
  return {
    resolve,
    async resolveAll(uris, party, signal) {
      const all: ResolvedInput[] = [];
      try {
        for (const uri of new Set(uris)) all.push(await resolve(uri, party, signal));
        return all;
      } catch (error) {
        await closeInputs(all);
        throw error;
      }
    },
    async describe(uris, party, signal) {
      const versions: Record<string, string> = {};
      for (const uri of new Set(uris)) {
        try {
          const input = await resolve(uri, party, signal);
          versions[uri] = input.version;
          await closeInputs([input]);
        } catch (error) {
          versions[uri] = errorText(error);
        }
      }
      return versions;
    },
  };
}

/** The version of an input that cannot be resolved. @throws the error if it is not a refusal */
export function errorText(error: unknown): string {
  const refusal = refusalOf(error);
  if (!(refusal instanceof PlaneRefusal) && !(refusal instanceof RegistryError)) throw error;
  return `${ERROR_MARK}${refusal.message}>`;
}

/** Closes the opened inputs. */
export async function closeInputs(inputs: readonly ResolvedInput[]): Promise<void> {
  for (const input of inputs) if (input.kind === 'table') await input.pinned.table.close();
}

/** The version of each input by its URI. */
export function versionsOf(inputs: readonly ResolvedInput[]): Readonly<Record<string, string>> {
  return Object.fromEntries(inputs.map(({ uri, version }) => [uri, version]));
}
