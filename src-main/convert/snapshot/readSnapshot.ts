/** Reads a snapshot and checks that its parts agree. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';
import { parseNotebookText } from '../../notebook/notebookText.ts';
import { NotebookFileError } from '../../notebook/toml/notebookFileError.ts';
import { BUNDLED_FILES, CELLS_FOLDER } from '../bundledFiles.ts';
import { SNAPSHOT_FORMAT, type SnapshotManifest, snapshotManifest } from './manifest.ts';
import { type Bundle, refusal } from './openBundle.ts';

/** A snapshot whose parts are consistent; nothing is extracted yet. */
export interface Snapshot {
  readonly bundle: Bundle;
  readonly manifest: SnapshotManifest;
  readonly file: NotebookFile;
  readonly tomlText: string;
  /** Paths of its committed files. */
  readonly committed: readonly string[];
  /** Members with fetched files, `fetch/<sha256>/<name>`. */
  readonly fetched: readonly string[];
}

/** @throws AppError bad_request naming the inconsistency */
export async function readSnapshot(bundle: Bundle): Promise<Snapshot> {
  for (const name of ['artifacts.json', 'notebook.toml']) {
    if (!bundle.sizes.has(name)) {
      throw new AppError(
        'bad_request',
        `This zip is not a snapshot: it has no ${name}. Export one with its results.`,
      );
    }
  }
  const manifest = readManifest((await bundle.read('artifacts.json')).toString('utf8'));
  const tomlText = (await bundle.read('notebook.toml')).toString('utf8');
  const file = readFile(tomlText);
  if (file.notebookId !== manifest.notebook_id) throw refusal('Its results are those of another notebook.');
  for (const cell of file.cells) {
    if (!bundle.sizes.has(cell.file)) throw refusal(`The file ${cell.file} of cell ${cell.id} is missing.`);
  }
  checkRecords(manifest, bundle);
  const names = [...bundle.sizes.keys()];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no system takes them in the name of a file
  const odd = names.find((name) => !name.startsWith('artifacts/') && /[:\u0000-\u001f]/.test(name));
  if (odd !== undefined) throw refusal(`${JSON.stringify(odd)} is not a valid file name.`);
  const bundled: ReadonlySet<string> = new Set(BUNDLED_FILES);
  return {
    bundle,
    manifest,
    file,
    tomlText,
    committed: names.filter(
      (name) => bundled.has(name) || (name.startsWith(`${CELLS_FOLDER}/`) && !name.includes('/__pycache__/')),
    ),
    fetched: names.filter((name) => /^fetch\/[0-9a-f]{64}\/[^/]+$/.test(name)),
  };
}

function readManifest(text: string): SnapshotManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refusal('Its artifacts.json is not JSON.');
    throw error;
  }
  const version =
    typeof value === 'object' && value !== null && 'format_version' in value ? value.format_version : null;
  if (version !== SNAPSHOT_FORMAT) {
    const isNewer = typeof version === 'number' && version > SNAPSHOT_FORMAT;
    throw refusal(
      isNewer
        ? `Its format, ${version}, is from a newer version of Cellar. Update Cellar.`
        : 'It was exported by a version of Cellar that is too old. Open the notebook in this version and export it again.',
    );
  }
  const parsed = snapshotManifest.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw refusal(`Its artifacts.json is damaged: ${first?.path.join('.') ?? ''}: ${first?.message ?? ''}.`);
}

function readFile(text: string): NotebookFile {
  try {
    return parseNotebookText(text).file;
  } catch (error) {
    if (error instanceof NotebookFileError)
      throw refusal(`Its notebook.toml cannot be read: ${error.message}`);
    throw error;
  }
}

/** Each included version has its record and its bytes; of each id at most one is current. */
function checkRecords({ carried, records }: SnapshotManifest, { sizes }: Bundle): void {
  const current = new Set<string>();
  for (const ref of new Set([...carried, ...Object.keys(records)])) {
    const record = Object.hasOwn(records, ref) ? records[ref] : undefined;
    if (record === undefined) throw refusal(`The record of ${ref} is missing.`);
    if (ref !== `${record.id}@v=${record.version}`) throw refusal(`${ref} has the record of ${record.id}.`);
    if (sizes.get(`artifacts/${ref}`) === undefined) throw refusal(`The bytes of ${ref} are missing.`);
    if (sizes.get(`artifacts/${ref}`) !== record.byte_size)
      throw refusal(`The bytes of ${ref} do not have the recorded size.`);
    if (record.state === 'ready' && current.has(record.id))
      throw refusal(`Two versions of ${record.id} are current.`);
    if (record.state === 'ready') current.add(record.id);
  }
}
