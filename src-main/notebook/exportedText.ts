/** Removes credentials from the text of notebook.toml, for exports. */

import { parseDocument, readMounts } from './file/notebookFile.ts';
import { optionSecrets } from './stored/mountSecrets.ts';
import { NotebookFileError } from './toml/notebookFileError.ts';
import type { TomlOp, TomlPath } from './toml/tomlOp.ts';
import { TomlEditError } from './toml/tomlOp.ts';
import { patchToml } from './toml/tomlPatch.ts';
import { readerOf } from './toml/tomlReader.ts';
import { isTable, type TomlRecord } from './toml/tomlValue.ts';

/**
 * The text of a notebook.toml that is safe to publish: credentials in the options of mounts are removed, the
 * rest stays byte for byte. In a text that cannot be edited in this way they are blanked instead.
 */
export function exportedNotebookText(text: string): string {
  let document: TomlRecord;
  try {
    document = parseDocument(text);
  } catch (error) {
    // Not a notebook: it contains no known credentials.
    if (error instanceof NotebookFileError) return text;
    throw error;
  }
  const cells = Array.isArray(document['cells']) ? document['cells'] : [];
  const secrets = [
    ...secretsOf(document, text, []),
    ...cells.flatMap((cell: unknown, i) => (isTable(cell) ? secretsOf(cell, text, ['cells', i]) : [])),
  ];
  if (secrets.length === 0) return text;
  const ops = secrets.map(({ path }): TomlOp => ({ op: 'remove', path }));
  try {
    return patchToml({ text, document }, ops).text;
  } catch (error) {
    if (!(error instanceof TomlEditError)) throw error;
    return secrets.reduce(
      (rest, { values }) => values.reduce((one, value) => one.replaceAll(value, ''), rest),
      text,
    );
  }
}

interface FoundOption {
  readonly path: TomlPath;
  readonly values: readonly string[];
}

function secretsOf(owner: TomlRecord, text: string, above: TomlPath): readonly FoundOption[] {
  return mountsOf(owner, text).flatMap(({ options }, i) =>
    Object.entries(options).flatMap(([key, value]) => {
      const values = optionSecrets({ options: { [key]: value } }).map((one) => one.value);
      return values.length === 0 ? [] : [{ path: [...above, 'mounts', i, 'options', key], values }];
    }),
  );
}

function mountsOf(owner: TomlRecord, text: string) {
  try {
    return readMounts(readerOf(owner, text));
  } catch (error) {
    if (error instanceof NotebookFileError) return [];
    throw error;
  }
}
