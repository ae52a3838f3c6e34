import type { Mount } from '../../../src-shared/wire/cell.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { MASKED } from '../../../src-shared/wire/notebookState.ts';
import { ownValue } from '../../lib/ownValue.ts';
import { isReference } from '../file/saveRules.ts';

type Options = Mount['options'];

/** Options of file systems whose text is a credential, as fsspec, boto, gcsfs, adlfs and obstore spell them. */
const CREDENTIAL = /key|secret|token|pass|credential|auth|sas|signature|connection_string|cookie/i;
/** Of those names, the ones that say which key or how, not what it is. */
const NO_CREDENTIAL =
  /(_|^)(id_field|type|method|name|file|path|mode|url|uri|version|region|timeout|algorithm)$/i;

/** Whether the text under an option's name is a credential. */
export function isSecretOption(name: string): boolean {
  return CREDENTIAL.test(name) && !NO_CREDENTIAL.test(name);
}

type Put = (value: string | number | bigint, path: readonly string[]) => unknown;

/** A value with `put` in place of each credential; the same value where there is none. */
function replaced(
  value: unknown,
  put: Put,
  at: { readonly path: readonly string[]; readonly isSecret: boolean },
): unknown {
  const { path, isSecret } = at;
  if (typeof value === 'string')
    return isSecret && value !== '' && !isReference(value) ? put(value, path) : value;
  if (typeof value === 'number' || typeof value === 'bigint') return isSecret ? put(value, path) : value;
  if (Array.isArray(value)) {
    const items = value.map((item, i) => replaced(item, put, { path: [...path, String(i)], isSecret }));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  let isSame = true;
  const entries = Object.entries(value).map(([key, item]) => {
    const next = replaced(item, put, { path: [...path, key], isSecret: isSecret || isSecretOption(key) });
    isSame &&= next === item;
    return [key, next] as const;
  });
  return isSame ? value : Object.fromEntries(entries);
}

/** Mounts as they may travel: credentials among their options are masks. The same list where there are none. */
export function maskMounts<T extends Pick<Mount, 'options'>>(mounts: readonly T[]): readonly T[] {
  const shown = mounts.map((mount) => {
    const options = replaced(mount.options, () => MASKED, TOP) as Options; // an object stays one
    return options === mount.options ? mount : { ...mount, options };
  });
  return shown.some((mount, i) => mount !== mounts[i]) ? shown : mounts;
}

/** A cell's mounts as they may travel: its own beneath its notebook's names, masked. */
export function mergedMounts(notebook: readonly Mount[], cell: readonly Mount[]): readonly Mount[] {
  return maskMounts([...new Map([...notebook, ...cell].map((mount) => [mount.name, mount])).values()]);
}

const TOP = { path: [], isSecret: false } as const;

/** The credentials among a mount's options: where they are and what they are. */
export function optionSecrets({ options }: Pick<Mount, 'options'>): readonly {
  readonly path: readonly string[];
  readonly value: string;
}[] {
  const found: { path: readonly string[]; value: string }[] = [];
  replaced(
    options,
    (value, path) => {
      found.push({ path, value: String(value) });
      return value;
    },
    TOP,
  );
  return found;
}

/**
 * A person's list of mounts with what their masks stand for: the value in the mount of the same name, else in one that
 * had it (`earlier`).
 * @throws AppError bad_request for a mask that stands for nothing
 */
export function unmaskMounts(
  wanted: readonly Mount[],
  {
    now,
    earlier = new Map(),
  }: { readonly now: readonly Mount[]; readonly earlier?: ReadonlyMap<string, Options> },
): readonly Mount[] {
  return wanted.map((mount) => {
    const known = [
      now.find(({ name }) => name === mount.name)?.options,
      earlier.get(mount.name),
      // Renamed: the place is the same.
      now.find(({ uri }) => uri === mount.uri)?.options,
    ];
    const valueAt = (path: readonly string[]): unknown =>
      known.map((options) => at(options, path)).find((value) => value !== undefined && value !== MASKED);
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

/** Options without their credentials, and those credentials alone, in the same places. */
export function splitOptions(options: Options): { readonly rest: Options; readonly secrets: Options } {
  const rest: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) {
    // A field of a credential is replaced as a whole by an option of its name: an option goes or stays as a whole.
    const target = optionSecrets({ options: { [key]: value } }).length > 0 ? secrets : rest;
    target[key] = value;
  }
  return { rest, secrets };
}

/** What mounts were seen with while a notebook is open, so that one that comes back by an undo has its credentials. */
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
