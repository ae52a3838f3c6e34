/** The settings of a notebook that are one value each in notebook.toml. */

import type { TableReader } from '../toml/tomlReader.ts';

/**
 * How each of these settings is read, by its key in the file; null where it is absent. The notebook's file, its edits,
 * the session's request and its view take their rows from here.
 */
const READERS = {
  /** The timeout of cells that name none, in seconds; null: the server's. */
  timeout: (root: TableReader) => root.number('timeout'),
} as const;

export type PlainSettings = { readonly [K in keyof typeof READERS]: ReturnType<(typeof READERS)[K]> };

/** Reads the settings. @throws NotebookFileError naming the line of a value of another type */
export function readPlainSettings(root: TableReader): PlainSettings {
  const entries = Object.entries(READERS).map(([key, read]) => [key, read(root)]);
  return Object.fromEntries(entries) as PlainSettings; // one entry per reader, with its result
}

/** The settings of a notebook without everything else in its file. */
export function plainSettingsOf(file: PlainSettings): PlainSettings {
  const entries = Object.entries(file).filter(([key]) => Object.hasOwn(READERS, key));
  return Object.fromEntries(entries) as PlainSettings; // the file has each of them
}
