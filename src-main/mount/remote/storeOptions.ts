/**
 * Reads the options with which a mount in an object store is opened, under any of the names that Python's clients use.
 */

import type { StorageOptions } from '../credentials.ts';

/**
 * The first of these options of a mount that is a string, also below `client_kwargs`, where Python's clients have
 * theirs.
 */
export function optionText(options: StorageOptions, names: readonly string[]): string | null {
  const nested = options['client_kwargs'];
  const places = [options, typeof nested === 'object' && nested !== null ? (nested as StorageOptions) : {}];
  for (const place of places) {
    for (const name of names) {
      const value = Object.hasOwn(place, name) ? place[name] : undefined;
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return null;
}

export function optionTrue(options: StorageOptions, names: readonly string[]): boolean {
  return names.some(
    (name) => Object.hasOwn(options, name) && (options[name] === true || options[name] === 'true'),
  );
}
