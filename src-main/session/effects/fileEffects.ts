/** Performs the session's writes to its folder, one after another: sources, tests, notebook.toml and settings. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { cellId, isCellId, type SessionId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import type { CellHistory } from '../../notebook/history/cellHistory.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import { settingsOf, settingsTextOf } from '../../notebook/settingsText.ts';
import { saveConsole } from '../../notebook/stored/runtimeState.ts';
import type { StoredCredentials } from '../../notebook/stored/storedCredentials.ts';
import type { SecretManagers } from '../../secrets/secretManagers.ts';
import { newCell, textsOf } from '../keys/newCell.ts';
import { NO_CONSOLE } from '../keys/storedCell.ts';
import type {
  Effect,
  PrepareAnalysis,
  ReducerTools,
  RequestOf,
  SessionFact,
  StructureChange,
} from '../state/events.ts';
import { namedAuthor } from '../state/namedAuthor.ts';
import type { Origin, Reply } from '../state/requests.ts';
import type { CellState, ConsoleOutput, SessionState } from '../state/state.ts';
import { followFolder } from '../watch/followFolder.ts';
import { OutsideChanges } from '../watch/outsideChanges.ts';
import { recordDeletion, recordExternalEdits } from './historyRecords.ts';
import { refusalOf, saveSource } from './saveSource.ts';
import { createSourceWrites, type WriteSource } from './sourceWrites.ts';
import { recordDeletedCell, restoreDeleted } from './undelete.ts';
import { writeSetting } from './writeSetting.ts';

type WriteTests = Extract<Effect, { type: 'write_tests' }>;
type ChangeStructure = Extract<Effect, { type: 'change_structure' }>;

/**
 * The session's writes to its folder, one after another in request order; a pending text of a cell is
 * superseded by a newer one.
 */
export interface FileEffects {
  writeSource(effect: WriteSource): Promise<SessionFact>;
  writeTests(effect: WriteTests): Promise<SessionFact>;
  changeStructure(effect: ChangeStructure): Promise<SessionFact>;
  saveConsole(cell: CellState): Promise<void>;
  /** Resolves once every earlier write is on disk. */
  idle(): Promise<void>;
  /** Reads what changed on disk; null if nothing did. `state` is the session's current state. */
  follow(names: ReadonlySet<string> | null, state: SessionState): Promise<SessionFact | null>;
}

interface FileEffectTools {
  readonly tools: ReducerTools;
  readonly learn: PrepareAnalysis;
  readonly store: ArtifactStore;
  readonly sessionId: SessionId;
  readonly history: Pick<CellHistory, 'note'>;
  readonly managers: Pick<SecretManagers, 'whyRefused'>;
  /** Where credentials of mounts are moved. */
  readonly credentials: Pick<StoredCredentials, 'named' | 'keep'>;
  /** Each cell's console as it is on disk. */
  readonly consoles: ReadonlyMap<CellId, ConsoleOutput>;
}

/** Creates the writer of one session's folder. */
export function createFileEffects(files: NotebookFiles, tools: FileEffectTools): FileEffects {
  // Null after a failed write: the content on disk is unknown then.
  const saved = new Map<CellId, ConsoleOutput | null>(tools.consoles);
  const outside = new OutsideChanges();
  const inTurn = createSerialRunner();
  return {
    writeSource: createSourceWrites(inTurn, (batch) => saveSource(files, batch, { ...tools, outside })),
    writeTests: (effect) => inTurn(() => writeTests(files, effect, tools.history)),
    changeStructure: (effect) => inTurn(() => changeStructure(files, { effect, ...tools })),
    async saveConsole({ id, console }) {
      // Most cells print the same as before, or nothing: that is on disk already.
      const last = saved.has(id) ? saved.get(id) : NO_CONSOLE;
      if (last?.stdout === console.stdout && last.stderr === console.stderr) return;
      saved.set(id, console);
      try {
        await saveConsole(files.dir, id, console);
      } catch (error) {
        saved.set(id, null);
        throw error;
      }
    },
    idle: () => inTurn(async () => {}),
    follow: (names, state) =>
      inTurn(async () => {
        const before = { sources: files.sources(), file: files.file() };
        const { fact, rewritten } = await followFolder(files, { names, state, ...tools });
        for (const id of rewritten) outside.add(id, before.sources.get(id)?.source ?? '');
        const after = { sources: files.sources(), file: files.file() };
        recordExternalEdits(tools.history, { before, after, rewritten });
        return fact;
      }),
  };
}

/**
 * A test file that could not be written is discarded: the user types it again, or the run that asked for it
 * reports the failure.
 */
async function writeTests(
  files: NotebookFiles,
  effect: WriteTests,
  history: Pick<CellHistory, 'note'>,
): Promise<SessionFact> {
  const { ticket, origin, cellId: id, source, base, runId } = effect;
  const written = { type: 'tests_written', ticket, origin, cellId: id, runId, merged: false } as const;
  try {
    const before = files.sources().get(id)?.testSource ?? null;
    const merged = await files.writeTests(id, source, base);
    const now = files.sources().get(id)?.testSource ?? '';
    const author = namedAuthor(origin.identity);
    history.note(id, { text: now, why: 'edit', author, before }, 'tests');
    return { ...written, source: now, merged, refused: null };
  } catch (error) {
    const { code, message, context } = refusalOf(error, 'The tests');
    return { ...written, source, refused: new AppError(code, message, { ...context, cell_id: id }) };
  }
}

/** The fact for the session that the file has changed. */
type StructureFact = (
  change: Extract<SessionFact, { type: 'structure_changed' }>['change'],
  reply: Reply,
  cells?: { readonly added?: readonly CellState[]; readonly removed?: readonly CellId[] },
) => SessionFact;

async function changeStructure(
  files: NotebookFiles,
  options: FileEffectTools & { readonly effect: ChangeStructure },
): Promise<SessionFact> {
  const { ticket, change: requested } = options.effect;
  const fact: StructureFact = (change, reply, cells = {}) => ({
    type: 'structure_changed',
    ticket,
    file: files.file(),
    added: cells.added ?? [],
    removed: cells.removed ?? [],
    change,
    reply,
  });
  try {
    switch (requested.kind) {
      case 'delete': {
        const { cell, variant, request } = requested;
        const deletion = { id: cell.id, last: files.sources().get(cell.id), file: files.file() };
        await files.deleteCell(request.cellId, {
          ...(variant === null ? {} : { variant }),
          keep: (text) =>
            recordDeletedCell(files.dir, { cell: text, last: cell, sessionId: options.sessionId }),
        });
        recordDeletion(options.history, deletion);
        return fact('deleted', { kind: 'done' }, { removed: [cell.id] });
      }
      case 'add_variant': {
        const { name, ...copy } = requested.copy;
        const cell = await addCell(files, copy, { ...options, origin: requested.request.origin });
        return fact('variant_added', { kind: 'variant', cellId: cell.id, name }, { added: [cell] });
      }
      case 'choose_variant':
        await files.chooseVariant(requested.setting);
        return fact('variant_chosen', { kind: 'done' });
      case 'change_settings': {
        const { change } = requested.request;
        await writeSetting(files, change, options);
        return fact({ of: change.of }, { kind: 'done' });
      }
      case 'as_requested':
        return await asRequested(files, requested.request, { ...options, fact });
    }
  } catch (error) {
    return {
      type: 'structure_refused',
      ticket,
      origin: requested.request.origin,
      error: refusalOf(error, 'The change'),
    };
  }
}

/** Adds a cell to the folder and analyses it for the session. */
async function addCell(
  files: NotebookFiles,
  request: Omit<Parameters<NotebookFiles['addCell']>[0], 'author'>,
  { learn, tools, origin }: Pick<FileEffectTools, 'learn' | 'tools'> & { readonly origin: Origin },
): Promise<CellState> {
  const entry = await files.addCell({ ...request, author: namedAuthor(origin.identity) });
  await learn(textsOf([entry], files.sources()));
  return newCell(entry, { text: files.sources().get(entry.id), analyze: tools.analyze });
}

/** The changes that need only the request. */
async function asRequested(
  files: NotebookFiles,
  request: Extract<StructureChange, { kind: 'as_requested' }>['request'],
  { fact, ...options }: FileEffectTools & { readonly fact: StructureFact },
): Promise<SessionFact> {
  switch (request.type) {
    case 'add_cell': {
      const { afterId, language, source, origin, cellId: id } = request;
      const cellOptions = {
        ...(source === undefined ? {} : { source }),
        ...(id === undefined ? {} : { id }),
      };
      const cell = await addCell(files, { afterId, language, ...cellOptions }, { ...options, origin });
      return fact('added', { kind: 'cell', cellId: cell.id }, { added: [cell] });
    }
    case 'restore_cell': {
      const added = [await restoreDeleted(files, { ...options, cellId: request.cellId })];
      return fact('restored', { kind: 'done' }, { added });
    }
    case 'reorder_cells': {
      const cellIds = new Set(files.file().cells.map((entry) => entry.id));
      const ids = request.cellIds.filter(isCellId).filter((id) => cellIds.has(cellId(id)));
      await files.reorder(ids);
      return fact('reordered', { kind: 'done' });
    }
    case 'rename_notebook':
      await files.rename(request.name);
      return fact('renamed', { kind: 'done' });
    case 'change_cell_settings':
      await writeCellSettings(files, request, options.history);
      return fact('cell_settings', { kind: 'done' });
  }
}

async function writeCellSettings(
  files: NotebookFiles,
  { cellId: id, text, origin }: RequestOf<'change_cell_settings'>,
  history: Pick<CellHistory, 'note'>,
): Promise<void> {
  const entryNow = () => files.file().cells.find((entry) => entry.id === id);
  const entry = entryNow();
  await files.configure(id, settingsOf(text, entry ?? { env: {}, mounts: [] }));
  const [before, now] = [entry, entryNow()].map((one) => (one === undefined ? '' : settingsTextOf(one)));
  const author = namedAuthor(origin.identity);
  history.note(id, { text: now ?? '', why: 'edit', author, before: before ?? null }, 'settings');
}
