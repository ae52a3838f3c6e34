/** Masks the credentials in the options of mounts before they are sent to a window, and restores them in edits. */

import type { Mount } from '../../../src-shared/wire/cell.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { MASKED } from '../../../src-shared/wire/notebookState.ts';
import { ownValue } from '../../lib/ownValue.ts';
import { isReference } from '../file/saveRules.ts';

type Options = Mount['options'];

/** Matches options of file systems that are credentials, under the names of fsspec, boto, gcsfs, adlfs and obstore. */
const CREDENTIAL = /key|secret|token|pass|credential|auth|sas|signature|connection_string|cookie/i;
/** Matching names that are not credentials: they select a key or a method. */
const NO_CREDENTIAL =
  /(_|^)(id_field|type|method|name|file|path|mode|url|uri|version|region|timeout|algorithm)$/i;

/** Whether the option with this name is a credential. */
export function isSecretOption(name: string): boolean {
  return CREDENTIAL.test(name) && !NO_CREDENTIAL.test(name);
}

type Put = (value: string | number | bigint, path: readonly string[]) => unknown;

/** A value with each credential replaced by `putSecret`; the same value if there is none. */
function replaced(
  value: unknown,
  putSecret: Put,
  at: { readonly path: readonly string[]; readonly isSecret: boolean },
): unknown {
  const { path, isSecret } = at;
  if (typeof value === 'string')
    return isSecret && value !== '' && !isReference(value) ? putSecret(value, path) : value;
  if (typeof value === 'number' || typeof value === 'bigint')
    return isSecret ? putSecret(value, path) : value;
  if (Array.isArray(value)) {
    const items = value.map((item, i) => replaced(item, putSecret, { path: [...path, String(i)], isSecret }));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  let isSame = true;
  const entries = Object.entries(value).map(([key, item]) => {
    const next = replaced(item, putSecret, {
      path: [...path, key],
      isSecret: isSecret || isSecretOption(key),
    });
    isSame &&= next === item;
    return [key, next] as const;
  });
  return isSame ? value : Object.fromEntries(entries);
}

/** Mounts with masked credentials in their options. The same list if there are none. */
export function maskMounts<T extends Pick<Mount, 'options'>>(mounts: readonly T[]): readonly T[] {
  const masked = mounts.map((mount) => {
    const options = replaced(mount.options, () => MASKED, TOP) as Options; // an object stays one
    return options === mount.options ? mount : { ...mount, options };
  });
  return masked.some((mount, i) => mount !== mounts[i]) ? masked : mounts;
}

/** The masked mounts of a cell: its own override the notebook's of the same name. */
export function mergedMounts(notebook: readonly Mount[], cell: readonly Mount[]): readonly Mount[] {
  return maskMounts([...new Map([...notebook, ...cell].map((mount) => [mount.name, mount])).values()]);
}

const TOP = { path: [], isSecret: false } as const;

/** The credentials among a mount's options: path and value. */
export function optionSecrets({ options }: Pick<Mount, 'options'>): readonly {
  readonly path: readonly string[];
  readonly value: string;
}[] {
  const secrets: { path: readonly string[]; value: string }[] = [];
  replaced(
    options,
    (value, path) => {
      secrets.push({ path, value: String(value) });
      return value;
    },
    TOP,
  );
  return secrets;
}

/**
 * A user's list of mounts with the masks replaced by the real values: from the mount of the same name, else
 * from an earlier one (`earlier`). @throws AppError bad_request for a mask without a value
 */
export function unmaskMounts(
  mounts: readonly Mount[],
  {
    now,
    earlier = new Map(),
  }: { readonly now: readonly Mount[]; readonly earlier?: ReadonlyMap<string, Options> },
): readonly Mount[] {
  return mounts.map((mount) => {
    const candidates = [
      now.find(({ name }) => name === mount.name)?.options,
      earlier.get(mount.name),
      // Renamed: the uri is the same.
      now.find(({ uri }) => uri === mount.uri)?.options,
    ];
    const valueAt = (path: readonly string[]): unknown =>
      candidates.map((options) => at(options, path)).find((value) => value !== undefined && value !== MASKED);
    const options = unmasked(mount.options, [], (path) => {
      const value = valueAt(path);
      if (value !== undefined) return value;
      const option = path.join('.');
      throw new AppError(
        'bad_request',
        `The option ${option} of the mount "${mount.name}" is masked, but its value is unknown. Enter it again, or remove the option.`,
      );
    });
    return options === mount.options ? mount : { ...mount, options: options as Options };
  });
}

function unmasked(
  value: unknown,
  path: readonly string[],
  valueAt: (path: readonly string[]) => unknown,
): unknown {
  if (value === MASKED) return valueAt(path);
  if (Array.isArray(value)) return value.map((item, i) => unmasked(item, [...path, String(i)], valueAt));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, unmasked(item, [...path, key], valueAt)]),
  );
}

function at(value: unknown, path: readonly string[]): unknown {
  let place = value;
  for (const step of path) {
    if (typeof place !== 'object' || place === null) return undefined;
    place = ownValue(place as Readonly<Record<string, unknown>>, step);
  }
  return place;
}

/** Splits options into those without credentials and the credentials, at the same paths. */
export function splitOptions(options: Options): { readonly rest: Options; readonly secrets: Options } {
  const rest: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    // Options are moved as a whole, because a named credential's field is overridden as a whole by an option
    // of its name.
    const target = optionSecrets({ options: { [key]: value } }).length > 0 ? secrets : rest;
    target[key] = value;
  }
  return { rest, secrets };
}

/**
 * Remembers the options of mounts while a notebook is open, so that an undo restores a mount's credentials.
 */
export function createMountMemory(): {
  readonly see: (mounts: readonly Mount[]) => ReadonlyMap<string, Options>;
} {
  const earlier = new Map<string, Options>();
  return {
    see(mounts) {
      for (const mount of mounts) if (optionSecrets(mount).length > 0) earlier.set(mount.name, mount.options);
      return earlier;
    },
  };
}
