/** The programs that can build a version in the data plane: scan, SQL query, and servers in the configuration. */

import {
  EMBEDDED_URL,
  readTransformRegistry,
  type TransformEntry,
  transformsEnabled,
} from '../config/transformRegistry.ts';
import type { Config } from '../config/variables.ts';
import { namedRefusal } from './planeRefusal.ts';
import type { Requester } from './requester.ts';

/** Reads a table. */
export const SCAN = 'scan@v1';
/** Runs one query in DuckDB, in this process. */
const DUCKDB_SQL = 'duckdb_sql@v1';

/** An executor that runs a request. */
export type Executor =
  | { readonly kind: 'scan' }
  /** `entry`: the limits of the registry, if it has any. */
  | { readonly kind: 'sql'; readonly entry: TransformEntry | null }
  | { readonly kind: 'http'; readonly entry: TransformEntry };
export type TransformExecutor = Exclude<Executor, { readonly kind: 'scan' }>;

/** The executors of this server: its own, and those of its configuration. */
export class Executors {
  readonly #config: Config;
  readonly #entries: readonly { readonly entry: TransformEntry; readonly pattern: RegExp }[];

  constructor(config: Config) {
    this.#config = config;
    const registry = readTransformRegistry(config.transformsConfig['registry']);
    // checkConfig refuses other configurations.
    if ('problem' in registry) throw new Error(registry.problem);
    this.#entries = registry.map((entry) => ({ entry, pattern: globPattern(entry.ref) }));
  }

  /** @throws PlaneRefusal 400 or 403 for a name that this client cannot use */
  find(ref: string, who: Requester): Executor {
    if (ref === SCAN) return { kind: 'scan' };
    const { deploymentMode, transformMode } = this.#config;
    const isService = deploymentMode === 'service';
    const isEnabled = transformsEnabled(this.#config);
    const isEmbedded = transformMode === 'embedded' && (isEnabled || !isService);
    if (isEmbedded && ref === DUCKDB_SQL) return { kind: 'sql', entry: null };
    const entry = isEnabled ? this.#entries.find(({ pattern }) => pattern.test(ref))?.entry : undefined;
    const isOwn = entry?.url === EMBEDDED_URL;
    if (entry === undefined || (isOwn && ref !== DUCKDB_SQL)) throw this.#refusal(ref, isService);
    const { requiredScope } = entry;
    if (requiredScope !== null && !who.hasScope(requiredScope)) {
      throw namedRefusal(403, 'insufficient_scope', `${ref} requires the ${requiredScope} scope.`, {
        required_scope: requiredScope,
      });
    }
    return { kind: isOwn ? 'sql' : 'http', entry };
  }

  #refusal(ref: string, isService: boolean): Error {
    const refText = JSON.stringify(ref.slice(0, 100));
    if (isService) {
      return namedRefusal(
        403,
        'transform_not_allowed',
        `This server does not allow the executor ${refText}. Its administrator can add it to the registry of transforms.`,
      );
    }
    return namedRefusal(
      400,
      'transform_unknown',
      `The executor ${refText} is not known. Use ${SCAN} or ${DUCKDB_SQL}, or add it to the registry of transforms in the configuration and turn the registry on.`,
    );
  }
}

/** `*` is any text, `?` any character; all other characters match themselves. */
function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
