/**
 * Defines the `svc artifact` commands: opens the artifact store in a folder, resolves references, maps refusals to exit
 * codes.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArtifactUri } from '../../../artifacts/uri.ts';
import { serverEnvironment } from '../../../config/serverEnvironment.ts';
import type { Config } from '../../../config/variables.ts';
import type { Registry } from '../../../registry/registry.ts';
import { RegistryError } from '../../../registry/registryError.ts';
import type { Party, VersionRow } from '../../../registry/versionRow.ts';
import { RemoteStoreProblem } from '../../../remoteStore/remoteStoreProblem.ts';
import {
  type Command,
  defineCommand,
  formatOf,
  HUMAN_FORMAT,
  type OptionTable,
  UsageError,
} from '../../arguments.ts';

const STORE_OPTIONS = {
  'artifact-dir': {
    type: 'string',
    takes: 'DIR',
    says: 'Folder of the artifact store. Default: SVC_ARTIFACT_DIR.',
  },
  tenant: {
    type: 'string',
    takes: 'TENANT',
    says: 'Tenant whose artifacts are used. Default: artifacts without a tenant.',
  },
  format: HUMAN_FORMAT,
} as const satisfies OptionTable;

type Value = string | boolean | undefined | readonly (string | boolean)[];

/** An open store and the parsed command line. */
export interface StoreCommandContext {
  readonly registry: Registry;
  readonly party: Party;
  readonly config: Config;
  readonly values: Readonly<Record<string, Value>>;
  readonly positionals: readonly string[];
}

/** The result of a command. */
interface StoreAnswer {
  /** For `--format json`. */
  readonly answer: unknown;
  readonly human: string;
  /** Default: 0. */
  readonly code?: number;
}

/**
 * A command on the artifact store in a folder of this machine. Exit code 1 if the store refuses, 2 for wrong use. A
 * server may have the store open at the same time.
 */
export function storeCommand(what: {
  readonly usage: string;
  readonly options?: OptionTable;
  readonly run: (on: StoreCommandContext) => Promise<StoreAnswer>;
}): Command {
  return defineCommand({
    usage: what.usage,
    options: { ...STORE_OPTIONS, ...what.options },
    async run({ values: parsed, positionals }) {
      const values = parsed as Readonly<Record<string, Value>>; // values of any table
      const format = formatOf(textOption(values, 'format'));
      // Not for help and wrong usage [AR-63].
      const { loadConfig } = await import('../../../config/loadConfig.ts');
      const config = loadConfig({ cwd: process.cwd(), env: serverEnvironment() });
      const option = textOption(values, 'artifact-dir');
      const dir = option === undefined ? config.artifactDir : resolve(option);
      if (dir === null)
        throw new UsageError('Name the folder of the store: --artifact-dir DIR, or set SVC_ARTIFACT_DIR');
      if (!existsSync(dir)) throw new UsageError(`There is no artifact store in ${dir}`);
      const party = { tenant: textOption(values, 'tenant') ?? '', principal: null, isAdmin: true };
      const { openRegistry } = await import('../../../registry/registry.ts');
      let registry: Registry | null = null;
      try {
        registry = await openRegistry({
          dir,
          sweeps: false,
          protectedAliases: config.registryProtectedAliases,
          zombieSeconds: config.artifactZombieBuildTimeoutSeconds,
        });
        const { answer, human, code = 0 } = await what.run({ registry, party, config, values, positionals });
        const text = format === 'json' ? JSON.stringify(answer) : human;
        if (text !== '') process.stdout.write(`${text}\n`);
        return code;
      } catch (error) {
        if (!(error instanceof RegistryError || error instanceof RemoteStoreProblem)) throw error;
        process.stderr.write(`svc: ${error.message}\n`);
        return 1;
      } finally {
        registry?.close();
      }
    },
  });
}

/** The text of an option; undefined if it is absent. */
export function textOption(values: StoreCommandContext['values'], name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be repeated. */
export function textOptions(values: StoreCommandContext['values'], name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

/** An integer or decimal number of at least `least`. @throws UsageError */
export function numberOption(
  values: StoreCommandContext['values'],
  name: string,
  least: number,
): number | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < least) {
    throw new UsageError(`--${name} must be a number of at least ${least}, not ${text}`);
  }
  return number;
}

/** The only argument of a command. @throws UsageError naming the expected argument */
export function onlyArgument({ positionals }: StoreCommandContext, what: string): string {
  const [one, ...more] = positionals;
  if (one === undefined || more.length > 0) throw new UsageError(`give one ${what}`);
  return one;
}

/** For a command without arguments. @throws UsageError */
export function noArgument({ positionals }: StoreCommandContext): void {
  if (positionals.length > 0) throw new UsageError(`unexpected argument \`${positionals[0]}\``);
}

/**
 * The version of a REF: a name, `name@alias`, `id@v=N`, a `svc://` URI, or an id, for which the newest ready version
 * counts. @throws RegistryError not_found
 */
export function resolveVersion(
  { registry, party }: Pick<StoreCommandContext, 'registry' | 'party'>,
  ref: string,
): VersionRow {
  const exact = parseArtifactUri(ref) ?? parseArtifactUri(`svc://artifact/${ref}`);
  if (exact !== null) return registry.get(exact, party);
  const name = registry.names.all(party).find((one) => one.name === ref);
  if (name !== undefined) return registry.get({ id: name.artifact_id, version: name.version }, party);
  const at = ref.lastIndexOf('@');
  if (at > 0) {
    const alias = registry.names
      .aliases(ref.slice(0, at), party)
      .find((one) => one.alias === ref.slice(at + 1));
    if (alias !== undefined) return registry.get({ id: alias.artifact_id, version: alias.version }, party);
  }
  const newest = registry.newestOf(ref, party);
  if (newest !== null) return newest;
  throw new RegistryError(
    'not_found',
    `${ref} is neither a name nor an artifact. List them with svc artifact list`,
  );
}

/** Epoch seconds as ISO text. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A number of bytes in a readable unit. */
export function bytesText(bytes: number | null): string {
  if (bytes === null) return '-';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
