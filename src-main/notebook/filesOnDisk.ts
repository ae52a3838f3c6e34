import { randomInt } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CellId, cellId } from '../../src-shared/notebook/ids.ts';
import type { Language } from '../../src-shared/wire/cell.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf, removeFileDurably, writeFileAtomic } from '../lib/atomicFile.ts';
import { NOT_PLAIN, readPlainFile } from '../lib/plainFile.ts';
import {
  type CellFile,
  encodeSource,
  normalizeSource,
  PLAIN_STYLE,
  readCellFile,
  refuseOutside,
  sourceProblem,
  type TextStyle,
} from './cellFile.ts';
import {
  type CellSource,
  type LoadedCell,
  loadCells,
  sameFile,
  sourceOf,
  sourcesOf,
  unusedId,
} from './cellSources.ts';
import type { DeletedCell } from './keptCell.ts';
import {
  addCellOps,
  authorOps,
  deleteCellOps,
  type NotebookText,
  reorderOps,
  type Settings,
  settingsOps,
  structural,
} from './notebookEdits.ts';
import {
  type CellEntry,
  cellFileOf,
  cellIndexIn,
  NOTEBOOK_FILE,
  type NotebookFile,
  testFileOf,
} from './notebookFile.ts';
import { NotebookFileError } from './notebookFileError.ts';
import {
  editNotebookText,
  parseNotebookText,
  type ReadNotebookText,
  rawText,
  readNotebookToml,
} from './notebookText.ts';
import { deletedCellOf, restoreCellOps } from './restoreEdits.ts';
import {
  NO_SECRETS,
  rememberSecrets,
  replaceSecrets,
  type SessionSecrets,
  withSecrets,
} from './sessionSecrets.ts';
import type { TomlOp } from './tomlOp.ts';
import {
  type DeletedVariant,
  deletedVariantOps,
  restoredVariantOps,
  type VariantEdit,
  variantOps,
} from './variantEdits.ts';

export interface WriteOptions {
  /** Who edits; null when nobody named themselves. */
  readonly author: string | null;
  /** Overwrite a file that changed on disk since it was read. */
  readonly force: boolean;
}

/** `conflict`: the file was changed by somebody else and nothing was written. */
export type SourceWrite =
  | { readonly kind: 'written' }
  | { readonly kind: 'conflict'; readonly diskSource: string };

export interface NotebookReload {
  readonly fileChanged: boolean;
  /** Cells present before and after whose source, tests or problem are different now. */
  readonly changedCells: readonly CellId[];
}

/** A cell to add; an id and a source are given when it is put back after a deletion. */
export interface CellToAdd {
  /** Null: no anchor, the cell counts as appended. */
  readonly afterId: CellId | null;
  readonly language: Language;
  readonly author: string | null;
  readonly source?: string;
  readonly id?: CellId;
  /** Another cell whose settings in notebook.toml the new one takes over. */
  readonly likeId?: CellId;
  /** Written together with the cell. */
  readonly setting?: VariantEdit | null;
}

export interface DeleteOptions {
  /** Gets what the cell was before anything goes; its failure keeps the cell. */
  readonly keep?: (deleted: DeletedCell) => Promise<void>;
  readonly variant?: DeletedVariant;
}

/** The files behind a `NotebookFiles`; it has the contract in words. */
export class FilesOnDisk {
  readonly dir: string;
  #text: ReadNotebookText;
  #cells: Map<CellId, LoadedCell>;
  #sources: ReadonlyMap<CellId, CellSource>;
  #secrets: SessionSecrets;
  #file: NotebookFile;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(dir: string, text: ReadNotebookText, cells: Map<CellId, LoadedCell>) {
    this.dir = dir;
    this.#text = text;
    this.#cells = cells;
    this.#sources = sourcesOf(cells);
    this.#secrets = rememberSecrets(NO_SECRETS, text.file);
    this.#file = withSecrets(text.file, this.#secrets);
  }

  file(): NotebookFile {
    return this.#file;
  }

  sources(): ReadonlyMap<CellId, CellSource> {
    return this.#sources;
  }

  addCell(cell: CellToAdd): Promise<CellEntry> {
    const { afterId, language, author, source = '', id: wanted, likeId = null, setting = null } = cell;
    return this.#inTurn(async () => {
      refuseSource('The new cell', source);
      await this.#followDisk();
      const id = wanted ?? (await unusedId(this.dir, this.#file, newCellId));
      if (this.#cells.has(id)) throw new AppError('conflict', `The notebook already has a cell ${id}.`);
      const ops = addCellOps(this.#text, { id, afterId, language, author, likeId });
      if (ops === null) throw new AppError('bad_request', `There is no cell ${afterId} to put a cell after.`);
      const file = cellFileOf(id, language);
      const found = await readCellFile(this.dir, file);
      if (found.kind !== 'missing')
        throw new AppError('conflict', `${file} is already there; it is not overwritten.`);
      await this.#put(file, encodeSource(source, PLAIN_STYLE));
      const chosen = setting === null ? [] : variantOps(this.#text, setting);
      await this.#save(structural([...ops, ...chosen], new Date()));
      return this.#entry(id);
    });
  }

  deleteCell(id: CellId, { keep, variant }: DeleteOptions = {}): Promise<void> {
    return this.#inTurn(async () => {
      await this.#followDisk();
      const { file } = this.#entry(id);
      await refuseOutside(this.dir, file);
      const deleted = deletedCellOf(this.#text, id);
      if (keep !== undefined && deleted !== null) {
        const [source, tests] = [await this.#bytes(file), await this.#bytes(testFileOf(id))];
        await keep({ ...deleted, source, tests, variant: variant ?? null });
      }
      const ops = deleteCellOps(this.#text, id) ?? [];
      const chosen = variant === undefined ? [] : deletedVariantOps(this.#text, variant);
      await this.#save(structural([...ops, ...chosen], new Date()));
      await removeFileDurably(join(this.dir, file));
      await removeFileDurably(join(this.dir, testFileOf(id)));
    });
  }

  restoreCell(deleted: DeletedCell): Promise<CellEntry> {
    return this.#inTurn(async () => {
      const { id, source, tests, block } = deleted;
      await this.#followDisk();
      if (this.#cells.has(id)) throw new AppError('conflict', `The notebook already has a cell ${id}.`);
      // Parsed before anything is written: a block that names no place under cells/ is refused here.
      const chosen = deleted.variant === null ? [] : restoredVariantOps(this.#text, deleted.variant);
      const ops = [...restoreCellOps(this.#text, deleted), ...chosen];
      const edited = this.#edited(structural(ops, new Date()));
      const file = String(block['file'] ?? '');
      for (const path of [file, testFileOf(id)]) {
        const found = await readCellFile(this.dir, path);
        if (found.kind !== 'missing')
          throw new AppError('conflict', `${path} is already there; it is not overwritten.`);
      }
      if (source !== null) await this.#put(file, source);
      if (tests !== null) await this.#put(testFileOf(id), tests);
      await writeFileAtomic(join(this.dir, NOTEBOOK_FILE), rawText(edited));
      await this.#adoptText(edited);
      return this.#entry(id);
    });
  }

  reorder(ids: readonly CellId[]): Promise<void> {
    return this.#edit((text) => reorderOps(text, ids));
  }

  rename(name: string): Promise<void> {
    return this.#edit(() => [{ op: 'set', path: ['name'], value: name }]);
  }

  chooseVariant(edit: VariantEdit): Promise<void> {
    return this.#edit((text) => variantOps(text, edit));
  }

  configure(id: CellId | null, settings: Settings): Promise<void> {
    return this.#inTurn(async () => {
      await this.#followDisk();
      if (id !== null) this.#entry(id);
      if (settings.env !== undefined) {
        this.#secrets = replaceSecrets(this.#secrets, id ?? '', settings.env ?? {});
      }
      const path = id === null ? [] : ['cells', cellIndexIn(this.#text.document, id)];
      await this.#save(structural(settingsOps(path, settings), new Date()));
    });
  }

  writeSource(id: CellId, source: string, { author, force }: WriteOptions): Promise<SourceWrite> {
    return this.#inTurn(async () => {
      // A notebook.toml that cannot take the author refuses the edit before anything is written.
      if (authorOps(this.#text, id, author).length > 0) await this.#followDisk();
      const known = this.#loaded(id);
      const { file } = known.entry;
      const disk = await this.#writable(file, source);
      const changed = disk.kind === 'text' && !sameFile(disk, known.file);
      const style = styleOf(disk, known.file);
      const text = normalizeSource(source, style);
      if (changed && !force && disk.source !== text) return { kind: 'conflict', diskSource: disk.source };
      await this.#putText(file, { text, style, disk });
      this.#loadedNow({ ...known, file: { kind: 'text', source: text, style } });
      await this.#save(authorOps(this.#text, id, author));
      return { kind: 'written' };
    });
  }

  writeTests(id: CellId, source: string): Promise<void> {
    return this.#inTurn(async () => {
      const known = this.#loaded(id);
      const file = testFileOf(id);
      await refuseOutside(this.dir, file);
      if (source.trim() === '') {
        await removeFileDurably(join(this.dir, file));
        this.#loadedNow({ ...known, tests: { kind: 'missing', problem: `${file} is missing` } });
        return;
      }
      const disk = await this.#writable(file, source);
      const style = styleOf(disk, known.tests);
      const text = normalizeSource(source, style);
      await this.#putText(file, { text, style, disk });
      this.#loadedNow({ ...known, tests: { kind: 'text', source: text, style } });
    });
  }

  reload(): Promise<NotebookReload> {
    return this.#inTurn(async () => {
      const raw = await readNotebookToml(this.dir);
      const fileChanged = raw !== rawText(this.#text);
      const text = fileChanged ? parseNotebookText(raw) : this.#text;
      const before = this.#cells;
      this.#adopt(text, await loadCells(this.dir, text.file.cells));
      const changedCells = [...this.#cells.values()].filter(({ entry, file, tests }) => {
        const old = before.get(entry.id);
        return old !== undefined && !(sameFile(old.file, file) && sameFile(old.tests, tests));
      });
      return { fileChanged, changedCells: changedCells.map(({ entry }) => entry.id) };
    });
  }

  follow(names: ReadonlySet<string> | null): Promise<NotebookReload> {
    return this.#inTurn(async () => {
      const before = rawText(this.#text);
      if (names === null || names.has(NOTEBOOK_FILE)) {
        const raw = await readNotebookToml(this.dir);
        if (raw !== before) await this.#adoptText(parseNotebookText(raw));
      }
      const named = [...this.#cells.values()].filter(
        ({ entry }) => names === null || names.has(entry.file) || names.has(testFileOf(entry.id)),
      );
      const fresh = await loadCells(
        this.dir,
        named.map(({ entry }) => entry),
      );
      const changed = named.filter(({ entry, file, tests }) => {
        const now = fresh.get(entry.id);
        return now !== undefined && !(sameFile(now.file, file) && sameFile(now.tests, tests));
      });
      for (const { entry } of changed) this.#loadedNow(fresh.get(entry.id) ?? this.#loaded(entry.id));
      return {
        fileChanged: before !== rawText(this.#text),
        changedCells: changed.map(({ entry }) => entry.id),
      };
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error(`the notebook ${this.dir} is closed`));
    const done = this.#last.then(work);
    // The caller gets the failure; the next edit starts whatever came of this one.
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** A structural edit of notebook.toml alone. */
  #edit(opsFor: (text: NotebookText) => readonly TomlOp[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#followDisk();
      await this.#save(structural(opsFor(this.#text), new Date()));
    });
  }

  /** Takes in what somebody else wrote to notebook.toml, so that the next save keeps it. */
  async #followDisk(): Promise<void> {
    try {
      const raw = await readNotebookToml(this.dir);
      if (raw !== rawText(this.#text)) await this.#adoptText(parseNotebookText(raw));
    } catch (error) {
      throw asRefusal(error);
    }
  }

  async #save(ops: readonly TomlOp[]): Promise<void> {
    const edited = this.#edited(ops);
    if (edited.text === this.#text.text) return;
    await writeFileAtomic(join(this.dir, NOTEBOOK_FILE), rawText(edited));
    await this.#adoptText(edited);
  }

  #edited(ops: readonly TomlOp[]): ReadNotebookText {
    try {
      return editNotebookText(this.#text, ops);
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** A new text; only cells it newly names are read from disk. */
  async #adoptText(text: ReadNotebookText): Promise<void> {
    const isKnown = (entry: CellEntry) => this.#cells.get(entry.id)?.entry.file === entry.file;
    const fresh = await loadCells(
      this.dir,
      text.file.cells.filter((entry) => !isKnown(entry)),
    );
    const cells = text.file.cells.flatMap((entry): [CellId, LoadedCell][] => {
      const loaded = fresh.get(entry.id) ?? this.#cells.get(entry.id);
      if (loaded === undefined) return [];
      return [[entry.id, loaded.entry === entry ? loaded : { ...loaded, entry }]];
    });
    this.#adopt(text, new Map(cells));
  }

  #adopt(text: ReadNotebookText, cells: Map<CellId, LoadedCell>): void {
    this.#text = text;
    this.#cells = cells;
    this.#sources = sourcesOf(cells);
    this.#secrets = rememberSecrets(this.#secrets, text.file);
    this.#file = withSecrets(text.file, this.#secrets);
  }

  #loaded(id: CellId): LoadedCell {
    const cell = this.#cells.get(id);
    if (cell === undefined) throw new AppError('not_found', `The notebook has no cell ${id}.`);
    return cell;
  }

  #entry(id: CellId): CellEntry {
    return this.#loaded(id).entry;
  }

  #loadedNow(cell: LoadedCell): void {
    this.#cells.set(cell.entry.id, cell);
    this.#sources = new Map(this.#sources).set(cell.entry.id, sourceOf(cell));
  }

  /** What is at `file` now. @throws AppError when it, or the text meant for it, is no cell source */
  async #writable(file: string, source: string): Promise<CellFile> {
    refuseSource(file, source);
    const disk = await readCellFile(this.dir, file);
    if (disk.kind === 'unusable') throw new AppError('conflict', `${disk.problem}; it is not overwritten.`);
    return disk;
  }

  /** Writes unless the same bytes are there already. */
  async #putText(
    file: string,
    { text, style, disk }: { text: string; style: TextStyle; disk: CellFile },
  ): Promise<void> {
    const bytes = encodeSource(text, style);
    if (disk.kind === 'text' && encodeSource(disk.source, disk.style) === bytes) return;
    await this.#put(file, bytes);
  }

  /** What a file of the notebook holds; null where there is no plain one. */
  async #bytes(file: string): Promise<Buffer | null> {
    try {
      return await readPlainFile(join(this.dir, file));
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'ENOENT' || code === NOT_PLAIN || code === 'ELOOP' || code === 'EACCES') return null;
      throw error;
    }
  }

  async #put(file: string, bytes: string | Uint8Array): Promise<void> {
    const path = join(this.dir, file);
    await refuseGone(this.dir);
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, bytes);
  }
}

/** The spelling of the file that is there, else of the one that was. */
function styleOf(disk: CellFile, known: CellFile): TextStyle {
  if (disk.kind === 'text') return disk.style;
  return known.kind === 'text' ? known.style : PLAIN_STYLE;
}

/** A notebook.toml that is broken, or cannot take an edit, refuses the edit and stays as it is. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof NotebookFileError)) return error;
  return new AppError(
    'conflict',
    `${error.message}. Mend the file, then edit again; nothing was written to it.`,
  );
}

/** A folder that was moved or deleted is not begun anew with one file in it. @throws AppError conflict */
async function refuseGone(dir: string): Promise<void> {
  try {
    await stat(dir);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw new AppError('conflict', `The folder ${dir} is not there any more; nothing was written.`);
  }
}

function refuseSource(what: string, source: string): void {
  const problem = sourceProblem(source);
  if (problem !== null) throw new AppError('bad_request', `${what} ${problem}.`);
}

const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

function newCellId(): CellId {
  return cellId(Array.from({ length: 8 }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join(''));
}
