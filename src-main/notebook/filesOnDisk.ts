/** Reads and writes the files of an opened notebook (notebook.toml, cells/): the class behind `NotebookFiles`. */

import type { CellId } from '../../src-shared/notebook/ids.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { MASKED } from '../../src-shared/wire/notebookState.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { removeDurably } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { readFileAt } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import { hasContent, replaceFile } from '../lib/guardedFolder/replace.ts';
import { createSerialRunner } from '../lib/serialRunner.ts';
import {
  type CellSource,
  type LoadedCell,
  loadCells,
  sameFile,
  sourceOf,
  sourcesOf,
  unusedId,
} from './cellSources.ts';
import { connectionOps, requestedConnections } from './edits/connectionEdits.ts';
import { newCellId } from './edits/newCellId.ts';
import { newSourceOf } from './edits/newSource.ts';
import {
  addCellOps,
  authorOps,
  deleteCellOps,
  type NotebookText,
  reorderOps,
  type SettingsEdit,
  settingsOps,
  structural,
} from './edits/notebookEdits.ts';
import type { DeletedCell } from './edits/restoreDeletedCell.ts';
import { deletedCellOf, restoreCellOps } from './edits/restoreDeletedCell.ts';
import { deletedVariantOps, restoredVariantOps, type VariantEdit, variantOps } from './edits/variantEdits.ts';
import {
  type CellFile,
  cellPlace,
  encodeSource,
  PLAIN_STYLE,
  readCellFileSync,
  refuseOutside,
} from './file/cellFile.ts';
import { cellFileOf, cellPathOf, testFileOf } from './file/cellFileNames.ts';
import { type CellEntry, cellIndexIn, NOTEBOOK_FILE, type NotebookFile } from './file/notebookFile.ts';
import { FileMarks } from './fileMarks.ts';
import type { CellToAdd, DeleteOptions, NotebookReload, SourceWrite, WriteOptions } from './fileRequests.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';
import {
  editNotebookText,
  parseNotebookText,
  type ReadNotebookText,
  rawText,
  readNotebookToml,
} from './notebookText.ts';
import { removeText } from './removeText.ts';
import {
  type FetchedEnv,
  NO_SECRETS,
  ownEnv,
  rememberSecrets,
  replaceAuth,
  replaceSecrets,
  type SessionSecrets,
  withSecrets,
} from './stored/sessionSecrets.ts';
import { readAs, testsChanged } from './testFile.ts';
import { asRefusal } from './toml/notebookFileError.ts';
import type { TomlOp } from './toml/tomlOp.ts';
import { refuseSource, type TextToWrite, writeIfExpected, writeText } from './writeText.ts';

/** The files behind a `NotebookFiles`, whose documentation is the contract. */
export class FilesOnDisk {
  readonly dir: NotebookFolder;
  #text: ReadNotebookText;
  #cells: Map<CellId, LoadedCell>;
  #sources: ReadonlyMap<CellId, CellSource>;
  #secrets: SessionSecrets;
  #fetched: FetchedEnv | null = null;
  #file: NotebookFile;
  readonly #oneByOne = createSerialRunner();
  /** The files with which edits were refused, until they are overwritten or read. */
  readonly #refusals = new Map<string, CellFile>();
  readonly #marks = new FileMarks();
  #closed = false;

  constructor(dir: NotebookFolder, text: ReadNotebookText, cells: Map<CellId, LoadedCell>) {
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
    const {
      afterId,
      language,
      author,
      source = newSourceOf(language),
      id: givenId,
      likeId = null,
      setting = null,
    } = cell;
    return this.#inTurn(async () => {
      refuseSource('The new cell', source);
      await this.#followDisk();
      const id = givenId ?? (await unusedId(this.dir, this.#file, newCellId));
      if (this.#cells.has(id)) throw new AppError('conflict', `The notebook already has a cell ${id}.`);
      const opsFor = (text: NotebookText): readonly TomlOp[] => {
        const ops = addCellOps(text, { id, afterId, language, author, likeId });
        if (ops === null)
          throw new AppError('bad_request', `Cannot add a cell after ${afterId}: there is no such cell.`);
        return [...ops, ...(setting === null ? [] : variantOps(text, setting))];
      };
      opsFor(this.#text);
      const file = cellFileOf(id, language);
      await this.#putNew(file, encodeSource(source, PLAIN_STYLE));
      await this.#saveStructure(opsFor);
      return this.#entry(id);
    });
  }

  deleteCell(id: CellId, { keep, variant }: DeleteOptions = {}): Promise<void> {
    return this.#inTurn(async () => {
      await this.#followDisk();
      const { file } = this.#entry(id);
      refuseOutside(this.dir, file);
      const deleted = deletedCellOf(this.#text, id);
      const paths = [file, testFileOf(id)];
      const readBytes = async (): Promise<readonly (Buffer | null)[]> => {
        const [source = null, tests = null] = await Promise.all(paths.map((path) => this.#bytes(path)));
        if (deleted !== null) await keep?.({ ...deleted, source, tests, variant: variant ?? null });
        return [source, tests];
      };
      let bytes = await readBytes();
      await this.#saveStructure((text) => [
        ...(deleteCellOps(text, id) ?? []),
        ...(variant === undefined ? [] : deletedVariantOps(text, variant)),
      ]);
      for (const [at, path] of paths.entries()) {
        for (;;) {
          const before = bytes[at] ?? null;
          // Only plain files are recorded, so there is no text to lose.
          if (before === null) await removeDurably(placeIn(this.dir, path));
          if (before === null || (await removeText(this.dir, path, before))) break;
          if ((await this.#bytes(path)) === null) break;
          bytes = await readBytes();
        }
      }
    });
  }

  restoreCell(deleted: DeletedCell): Promise<CellEntry> {
    return this.#inTurn(async () => {
      const { id, source, tests, block } = deleted;
      await this.#followDisk();
      if (this.#cells.has(id)) throw new AppError('conflict', `The notebook already has a cell ${id}.`);
      // Parsed before anything is written: a block with a path outside cells/ is refused here.
      const opsFor = (text: NotebookText): readonly TomlOp[] => [
        ...restoreCellOps(text, deleted),
        ...(deleted.variant === null ? [] : restoredVariantOps(text, deleted.variant)),
      ];
      this.#edited(opsFor(this.#text));
      const file = cellPathOf(String(block['file'] ?? ''));
      const parts = [
        [file, source],
        [testFileOf(id), tests],
      ] as const;
      const missing: (readonly [path: string, bytes: Uint8Array])[] = [];
      for (const [path, bytes] of parts) {
        if (readCellFileSync(this.dir, path).kind === 'missing') {
          if (bytes !== null) missing.push([path, bytes]);
          continue;
        }
        // A program that was killed while it deleted the cell may have left its file.
        const now = await this.#bytes(path);
        if (now === null || bytes === null || !now.equals(bytes))
          throw new AppError('conflict', `${path} already exists and was not overwritten.`);
      }
      for (const [path, bytes] of missing) await this.#putNew(path, bytes);
      await this.#saveStructure(opsFor);
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

  configure(id: CellId | null, settings: SettingsEdit): Promise<void> {
    return this.#inTurn(async () => {
      await this.#followDisk();
      if (id !== null) this.#entry(id);
      if (settings.env !== undefined) {
        this.#secrets = replaceSecrets(this.#secrets, id ?? '', settings.env ?? {});
      }
      const opsFor = (text: NotebookText) =>
        settingsOps(text, id === null ? [] : ['cells', cellIndexIn(text.document, id)], settings);
      // The layout of the app is no structure of the notebook: `updated_at` stays.
      await (settings.app === undefined ? this.#saveStructure(opsFor) : this.#save(opsFor));
      this.#file = this.#shown();
    });
  }

  setEnv(variables: Readonly<Record<string, string>>): Promise<void> {
    return this.#inTurn(async () => {
      await this.#followDisk();
      const env = ownEnv(this.#file, variables, MASKED);
      // To restore if the disk refuses the write.
      const before = this.#secrets;
      this.#secrets = replaceSecrets(before, '', env);
      try {
        await this.#saveStructure((text) =>
          settingsOps(text, [], { env: Object.keys(env).length === 0 ? null : env }),
        );
      } catch (error) {
        this.#secrets = before;
        throw error;
      } finally {
        this.#file = this.#shown();
      }
    });
  }

  setConnections(list: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#followDisk();
      const connections = requestedConnections(list, { now: this.#file.connections, mask: MASKED });
      const before = this.#secrets;
      this.#secrets = replaceAuth(before, connections);
      try {
        await this.#saveStructure((text) => connectionOps(text, connections));
      } catch (error) {
        this.#secrets = before;
        throw error;
      } finally {
        this.#file = this.#shown();
      }
    });
  }

  fill(fetched: FetchedEnv | null): Promise<void> {
    return this.#inTurn(async () => {
      this.#fetched = fetched;
      this.#file = this.#shown();
    });
  }

  writeSource(id: CellId, source: string, { author, force }: WriteOptions): Promise<SourceWrite> {
    return this.#inTurn(async () => {
      // If notebook.toml cannot store the author, the edit is refused before anything is written.
      if (authorOps(this.#text, id, author).length > 0) await this.#followDisk();
      const loaded = this.#loaded(id);
      const { file } = loaded.entry;
      const write = await this.#write({ file, source, known: loaded.file, force });
      if (write.kind === 'conflict') {
        return { kind: 'conflict', diskSource: write.disk.source, baseSource: write.base };
      }
      this.#loadedNow({ ...loaded, file: write.now });
      await this.#save((text) => authorOps(text, id, author));
      if (write.kind === 'written') return { kind: 'written' };
      return { kind: 'merged', text: write.now.source, diskSource: write.disk.source };
    });
  }

  writeTests(id: CellId, source: string, base: string | null): Promise<boolean> {
    return this.#inTurn(async () => {
      const loaded = this.#loaded(id);
      const file = testFileOf(id);
      refuseOutside(this.dir, file);
      const tests = readAs(loaded.tests, base);
      const overtaken = (disk: CellFile = loaded.tests): AppError =>
        testsChanged(id, { source, base, disk: disk.kind === 'text' ? disk.source : '' });
      if (source.trim() === '') {
        if (base !== null && !sameFile(tests, loaded.tests)) throw overtaken();
        const bytes = tests.kind === 'text' ? Buffer.from(encodeSource(tests.source, tests.style)) : null;
        if (bytes === null || !(await removeText(this.dir, file, bytes))) {
          const disk = readCellFileSync(this.dir, file);
          if (disk.kind !== 'missing') throw overtaken(disk);
        }
        this.#loadedNow({ ...loaded, tests: { kind: 'missing', problem: `${file} is missing` } });
        return false;
      }
      const write = await this.#write({ file, source, known: tests, force: false });
      if (write.kind === 'conflict') throw overtaken(write.disk);
      this.#loadedNow({ ...loaded, tests: write.now });
      return write.kind === 'merged';
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
      const targets = [...this.#cells.values()].filter(
        ({ entry }) => names === null || names.has(entry.file) || names.has(testFileOf(entry.id)),
      );
      const fresh = await loadCells(
        this.dir,
        targets.map(({ entry }) => entry),
      );
      const changed = targets.filter(({ entry, file, tests }) => {
        const now = fresh.get(entry.id);
        return now !== undefined && !(sameFile(now.file, file) && sameFile(now.tests, tests));
      });
      for (const { entry } of changed) {
        this.#loadedNow(fresh.get(entry.id) ?? this.#loaded(entry.id));
        this.#refusals.delete(entry.file);
      }
      return {
        fileChanged: before !== rawText(this.#text),
        changedCells: changed.map(({ entry }) => entry.id),
      };
    });
  }

  changedOutside(ids: Iterable<CellId>): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const id of ids) {
      const cell = this.#cells.get(id);
      if (cell === undefined) continue;
      const { file } = cell.entry;
      const isSameCell = () => sameFile(readCellFileSync(this.dir, file), cell.file);
      if (!this.#marks.isUnchanged(placeIn(this.dir, file), isSameCell)) changed.add(file);
    }
    const place = placeIn(this.dir, NOTEBOOK_FILE);
    const isSame = () => hasContent(place, Buffer.from(rawText(this.#text)));
    if (!this.#marks.isUnchanged(place, isSame)) changed.add(NOTEBOOK_FILE);
    return changed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#oneByOne(async () => undefined);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error(`the notebook ${this.dir} is closed`));
    return this.#oneByOne(work);
  }

  /** A structural edit of notebook.toml only. */
  #edit(opsFor: (text: NotebookText) => readonly TomlOp[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#followDisk();
      await this.#saveStructure(opsFor);
    });
  }

  /** Reads external changes of notebook.toml, so that the next save keeps them. */
  async #followDisk(): Promise<void> {
    try {
      const raw = await readNotebookToml(this.dir);
      if (raw !== rawText(this.#text)) await this.#adoptText(parseNotebookText(raw));
    } catch (error) {
      throw asRefusal(error);
    }
  }

  #saveStructure(opsFor: (text: NotebookText) => readonly TomlOp[]): Promise<void> {
    return this.#save((text) => structural(opsFor(text), new Date()));
  }

  /** Writes notebook.toml by compare-and-swap; an edit of an externally changed file is made in the new text. */
  async #save(opsFor: (text: NotebookText) => readonly TomlOp[]): Promise<void> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const before = this.#text;
      const edited = this.#edited(opsFor(before));
      if (edited.text === before.text) return;
      const expected = Buffer.from(rawText(before));
      if (await replaceFile(placeIn(this.dir, NOTEBOOK_FILE), rawText(edited), { expected })) {
        await this.#adoptText(edited);
        return;
      }
      await this.#followDisk();
    }
    throw new AppError(
      'conflict',
      `Another program keeps changing ${NOTEBOOK_FILE}, so nothing was saved. Try again.`,
    );
  }

  #edited(ops: readonly TomlOp[]): ReadNotebookText {
    try {
      return editNotebookText(this.#text, ops);
    } catch (error) {
      throw asRefusal(error);
    }
  }

  /** Applies a new text; only cells that are new in it are read from disk. */
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
    this.#file = this.#shown();
  }

  #shown(): NotebookFile {
    return withSecrets(this.#text.file, this.#secrets, this.#fetched);
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

  async #write(text: Pick<TextToWrite, 'file' | 'source' | 'known' | 'force'>): ReturnType<typeof writeText> {
    const refused = this.#refusals.get(text.file) ?? null;
    const write = await writeText(this.dir, { ...text, refusedWith: refused });
    if (write.kind === 'conflict') this.#refusals.set(text.file, write.disk);
    else this.#refusals.delete(text.file);
    return write;
  }

  /** The bytes of a plain file of the notebook; null if there is none. */
  async #bytes(file: string): Promise<Buffer | null> {
    try {
      return await readFileAt(cellPlace(this.dir, file));
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'ENOENT' || code === 'EACCES' || error instanceof PlaceRefusal) return null;
      throw error;
    }
  }

  /** Creates a file. @throws AppError conflict if it exists */
  async #putNew(file: string, bytes: string | Uint8Array): Promise<void> {
    const current = readCellFileSync(this.dir, file);
    if (current.kind === 'missing' && (await writeIfExpected(this.dir, { file, bytes, expected: null })))
      return;
    throw new AppError('conflict', `${file} already exists and was not overwritten.`);
  }
}

const MAX_TRIES = 20; // while notebook.toml keeps changing
