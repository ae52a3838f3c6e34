/** The edits that can be made to the text of notebook.toml, and the error for one that is impossible. */

import type { TomlValue } from './tomlValue.ts';

export type TomlPath = readonly (string | number)[];

/**
 * One change. All paths of a batch refer to the document before the batch. `set` merges: keys missing from a
 * table are removed, equal ones are not touched. `insert` puts a table into an array of tables, before the
 * element now at `index`. One batch inserts into or removes from an array, not both.
 */
export type TomlOp =
  | { readonly op: 'set'; readonly path: TomlPath; readonly value: TomlValue }
  | { readonly op: 'remove'; readonly path: TomlPath }
  | {
      readonly op: 'insert';
      readonly path: TomlPath;
      readonly index: number;
      readonly value: Readonly<Record<string, TomlValue>>;
    };

/** The error for an edit that a TOML text does not allow; the text itself is valid. */
export class TomlEditError extends Error {
  override readonly name = 'TomlEditError';
}
