import type { CellId } from '../../src-shared/notebook/ids.ts';
import { cellId, isCellId, type SessionId } from '../../src-shared/notebook/ids.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { ArtifactStore } from '../artifacts/artifact.ts';
import { createInTurn } from '../lib/inTurn.ts';
import type { CellHistory } from '../notebook/cellHistory.ts';
import type { KeptCredentials } from '../notebook/keptCredentials.ts';
import type { NotebookFiles } from '../notebook/notebookFiles.ts';
import { saveConsole } from '../notebook/runtimeState.ts';
import { settingsOf, settingsTextOf } from '../notebook/settingsText.ts';
import { LOCAL_WORKER } from '../notebook/workers.ts';
import type { SecretManagerConfig, SecretManagers } from '../secrets/secretManagers.ts';
import type { Reply } from './api.ts';
import type { Effect, LearnTexts, ReducerTools, SessionFact } from './events.ts';
import { followFolder } from './followFolder.ts';
import { noteDeleted, noteFollowed } from './historyNotes.ts';
import { newCell, textsOf } from './newCell.ts';
import { OutsideChanges } from './outsideChanges.ts';
import { namedAuthor, refusalOf, saveSource } from './saveSource.ts';
import { createSourceWrites, type WriteSource } from './sourceWrites.ts';
import type { CellConsole, CellState, SessionState } from './state.ts';
import { NO_CONSOLE } from './storedCell.ts';
import { keepDeleted, restoreDeleted } from './undelete.ts';
import { wantedMounts } from './wantedMounts.ts';

type WriteTests = Extract<Effect, { type: 'write_tests' }>;
type ChangeStructure = Extract<Effect, { type: 'change_structure' }>;

/**
 * The session's writes to its folder, one after another in the order they were asked for; a text gives its turn to a
 * newer one of its cell.
 */
export interface FileEffects {
  writeSource(effect: WriteSource): Promise<SessionFact>;
  writeTests(effect: WriteTests): Promise<SessionFact>;
  changeStructure(effect: ChangeStructure): Promise<SessionFact>;
  saveConsole(cell: CellState): Promise<void>;
  /** Once what was asked for before is on disk. */
  idle(): Promise<void>;
  /** Reads what changed on disk; null when nothing did. `state` is what the session knows by now. */
  follow(names: ReadonlySet<string> | null, state: SessionState): Promise<SessionFact | null>;
}

export interface FileEffectTools {
  readonly tools: ReducerTools;
  readonly learn: LearnTexts;
  readonly store: ArtifactStore;
  readonly sessionId: SessionId;
  readonly history: Pick<CellHistory, 'note'>;
  readonly managers: Pick<SecretManagers, 'whyRefused'>;
  /** Where credentials of mounts are moved to. */
  readonly credentials: Pick<KeptCredentials, 'named' | 'keep'>;
  /** What is on disk of each cell's console. */
  readonly consoles: ReadonlyMap<CellId, CellConsole>;
}

export function createFileEffects(files: NotebookFiles, tools: FileEffectTools): FileEffects {
  // Null after a failed write: nobody knows what is on disk then.
  const saved = new Map<CellId, CellConsole | null>(tools.consoles);
  const outside = new OutsideChanges();
  const inTurn = createInTurn();
  return {
    writeSource: createSourceWrites(inTurn, (batch) => saveSource(files, batch, { ...tools, outside })),
    writeTests: (effect) => inTurn(() => writeTests(files, effect, tools.history)),
    changeStructure: (effect) => inTurn(() => changeStructure(files, { effect, ...tools })),
    async saveConsole({ id, console }) {
      // Most cells print what they printed before, or nothing: that is on disk already.
      const known = saved.has(id) ? saved.get(id) : NO_CONSOLE;
      if (known?.stdout === console.stdout && known.stderr === console.stderr) return;
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
        noteFollowed(tools.history, { before, after, rewritten });
        return fact;
      }),
  };
}

/** @throws AppError bad_request for a manager or a host this server does not have (document 3, `secret_manager`) */
function refuseManager(managers: FileEffectTools['managers'], config: SecretManagerConfig | null): void {
  const words = config === null ? null : managers.whyRefused(config);
  if (words !== null) throw new AppError('bad_request', words);
}

/** Nothing of a test file is kept that the disk refused: it is typed again, or the run that asked for it says so. */
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

async function changeStructure(
  files: NotebookFiles,
  options: FileEffectTools & { readonly effect: ChangeStructure },
): Promise<SessionFact> {
  const { ticket, request } = options.effect;
  const fact = (
    change: Extract<SessionFact, { type: 'structure_changed' }>['change'],
    reply: Reply,
    cells: { readonly added?: readonly CellState[]; readonly removed?: readonly CellId[] } = {},
  ): SessionFact => ({
    type: 'structure_changed',
    ticket,
    file: files.file(),
    added: cells.added ?? [],
    removed: cells.removed ?? [],
    change,
    reply,
  });
  try {
    switch (request.type) {
      case 'cell_added': {
        const { afterId, language, origin } = request;
        const entry = await files.addCell({ afterId, language, author: namedAuthor(origin.identity) });
        await options.learn(textsOf([entry], files.sources()));
        const text = files.sources().get(entry.id);
        const cell = newCell(entry, { text, analyze: options.tools.analyze });
        return fact('added', { kind: 'cell', cellId: entry.id }, { added: [cell] });
      }
      case 'cell_deleted': {
        const gone = {
          id: request.cellId,
          last: files.sources().get(request.cellId),
          file: files.file(),
        };
        await files.deleteCell(request.cellId, {
          ...(options.effect.variant === undefined ? {} : { variant: options.effect.variant }),
          keep: (cell) =>
            keepDeleted(files.dir, { cell, last: options.effect.deleted, sessionId: options.sessionId }),
        });
        noteDeleted(options.history, gone);
        return fact('deleted', { kind: 'done' }, { removed: [request.cellId] });
      }
      case 'cell_restored': {
        const added = [await restoreDeleted(files, { ...options, cellId: request.cellId })];
        return fact('restored', { kind: 'done' }, { added });
      }
      case 'cells_reordered': {
        const known = new Set(files.file().cells.map((entry) => entry.id));
        const ids = request.cellIds.filter(isCellId).filter((id) => known.has(cellId(id)));
        await files.reorder(ids);
        return fact('reordered', { kind: 'done' });
      }
      case 'notebook_renamed':
        await files.rename(request.name);
        return fact('renamed', { kind: 'done' });
      case 'variant_added': {
        const { copy } = options.effect;
        if (copy === undefined) throw new Error('a variant to add without what to copy');
        const { name, ...wanted } = copy;
        const entry = await files.addCell({ ...wanted, author: namedAuthor(request.origin.identity) });
        await options.learn(textsOf([entry], files.sources()));
        const text = files.sources().get(entry.id);
        const cell = newCell(entry, { text, analyze: options.tools.analyze });
        return fact('variant_added', { kind: 'variant', cellId: entry.id, name }, { added: [cell] });
      }
      case 'variant_chosen': {
        const { setting } = options.effect;
        if (setting !== undefined) await files.chooseVariant(setting);
        return fact('variant_chosen', { kind: 'done' });
      }
      case 'mounts_changed':
        await files.configure(null, { mounts: await wantedMounts(request, { ...options, files }) });
        return fact('mounts', { kind: 'done' });
      case 'timeout_changed':
        await files.configure(null, { timeout: request.timeout });
        return fact('timeout', { kind: 'done' });
      case 'cell_settings_changed': {
        const entryNow = () => files.file().cells.find(({ id }) => id === request.cellId);
        const was = entryNow();
        await files.configure(request.cellId, settingsOf(request.text, was ?? { env: {}, mounts: [] }));
        const [before, now] = [was, entryNow()].map((entry) =>
          entry === undefined ? '' : settingsTextOf(entry),
        );
        const note = {
          text: now ?? '',
          why: 'edit',
          author: namedAuthor(request.origin.identity),
          before: before ?? null,
        } as const;
        options.history.note(request.cellId, note, 'settings');
        return fact('cell_settings', { kind: 'done' });
      }
      case 'connections_changed':
        await files.setConnections(request.connections);
        return fact('connections', { kind: 'done' });
      case 'env_changed':
        await files.setEnv(request.env);
        return fact('env', { kind: 'done' });
      case 'ai_changed':
        await files.configure(null, { ai: request.ai });
        return fact('ai', { kind: 'done' });
      case 'workers_changed':
        await files.configure(null, { workers: request.workers });
        return fact('workers', { kind: 'done' });
      case 'worker_chosen':
        await files.configure(null, { worker: request.worker === LOCAL_WORKER ? null : request.worker });
        return fact('worker', { kind: 'done' });
      case 'secret_manager_changed':
        refuseManager(options.managers, request.config);
        await files.configure(null, { secret_manager: request.config });
        return fact('secret_manager', { kind: 'done' });
      default:
        throw new Error(`${request.type} changes no structure`);
    }
  } catch (error) {
    return {
      type: 'structure_refused',
      ticket,
      origin: request.origin,
      error: refusalOf(error, 'The change'),
    };
  }
}
