/** The editor's language questions about one notebook: completion, hover, definitions, renames. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { LanguageAnswer, LanguageQuestion } from '../../src-shared/wire/routes/language.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { askCompletion, mergeItems, runSideOf } from './answers/complete.ts';
import { askFaults } from './answers/faults.ts';
import { type ReadItems, readCompletions } from './answers/fromServer.ts';
import { askHover, askSignature, hoverValue } from './answers/hover.ts';
import { askDefinition, askReferences } from './answers/places.ts';
import type { AnswerFields, QuestionPosition, QuestionServer, ReadValue } from './answers/question.ts';
import { askRename } from './answers/rename.ts';
import type { NotebookText } from './document/notebookText.ts';
import { formatCell, lintCell } from './ruff/ruffCells.ts';
import type { Ruff } from './ruff/ruffThread.ts';
import type { StartProgram } from './server/running.ts';
import { type ServerInput, Supervisor } from './server/supervisor.ts';
import type { FoundTools } from './tools/resolveTools.ts';
import { RequestDropped, RequestRefused, ServerGone } from './wire/lspClient.ts';

/** The part of a notebook that the language services may read at the time of a request. */
export interface LanguageView {
  readonly notebook: NotebookText;
  /** Null: no server may be started, for which `words` give the reason; without words, it may be started soon. */
  readonly serverInput: ServerInput | null;
  readonly words: string | null;
}

interface LanguageOptions {
  /** The notebook's folder. */
  readonly dir: NotebookFolder;
  readonly view: () => LanguageView;
  /** The bytes of a stored value as text; null if they are too many or missing. */
  readonly readValue: ReadValue;
  readonly tools: (python: string) => Promise<FoundTools>;
  readonly start: StartProgram;
  readonly ruff: Ruff;
  readonly log: (words: string) => void;
  /** How long a request waits for a server that is starting. */
  readonly patienceMs?: number;
}

/**
 * Answers the editor's questions about one open notebook, with its language server and the values of its last
 * runs.
 */
export interface NotebookLanguage {
  /**
   * @param signal aborted when the caller no longer waits for the answer. The promise then rejects with
   * RequestDropped, and for no other reason
   */
  ask(cellId: string, question: LanguageQuestion, signal: AbortSignal): Promise<LanguageAnswer>;
  /** The process of the server; null while there is none. */
  readonly pid: number | null;
  close(): void;
}

const PATIENCE_MS = 8_000;

export function createNotebookLanguage(options: LanguageOptions): NotebookLanguage {
  const { dir, readValue, ruff } = options;
  const supervisor = new Supervisor(options);
  let batch = 0;
  let documents: ReadonlyMap<string, string> = new Map();
  /** Logged once, not at every key. */
  let loggedOff: string | null = null;

  const off = (words: string): LanguageAnswer => {
    if (loggedOff !== words) options.log(words);
    loggedOff = words;
    return { state: 'off', words };
  };
  const readList = (result: unknown): ReadItems => {
    batch += 1;
    const list = readCompletions(result, batch);
    documents = list.documents;
    return list;
  };

  /** Asks the server; if it ends during the question, asks a new one once. */
  const withServer = async (
    signal: AbortSignal,
    work: (languageServer: QuestionServer) => Promise<AnswerFields>,
  ): Promise<LanguageAnswer> => {
    for (let tries = 0; ; tries += 1) {
      // Read now, because a change of the environment since the question must not replace the new server.
      const { serverInput, words } = options.view();
      if (serverInput === null) return words === null ? { state: 'starting', words: null } : off(words);
      const located = await withPatience(
        supervisor.server(serverInput),
        options.patienceMs ?? PATIENCE_MS,
        signal,
      );
      if (located === null) return { state: 'starting', words: null };
      if (located.kind === 'unavailable') return off(located.words);
      const { uri, client } = located.server;
      const languageServer: QuestionServer = {
        uri,
        show: (document) => located.server.show(document),
        request: (method, params) => client.request(method, { textDocument: { uri }, ...params }, signal),
      };
      try {
        return { words: null, ...(await work(languageServer)), state: 'ready' };
      } catch (error) {
        // A question about an outdated text has no answer.
        if (error instanceof RequestRefused) return { state: 'ready', words: null };
        if (!(error instanceof ServerGone)) throw error;
        if (tries > 0) return { state: 'starting', words: null };
      }
    }
  };

  const answer = async (
    view: LanguageView,
    { cellId, question }: { readonly cellId: string; readonly question: LanguageQuestion },
    signal: AbortSignal,
  ): Promise<LanguageAnswer> => {
    const { notebook } = view;
    if (question.ask === 'document') {
      return { state: 'ready', words: null, markdown: documents.get(question.item) ?? null };
    }
    const { source } = question;
    const focus = { cellId, source };
    if (question.ask === 'format') {
      const formatted = await formatCell(ruff, source);
      const text = 'text' in formatted ? formatted.text : null;
      return { state: 'ready', words: 'text' in formatted ? null : formatted.problem, text };
    }
    if (question.ask === 'diagnostics') {
      const lint = await lintCell(ruff, source);
      const reply = await withServer(signal, async (languageServer) => ({
        faults: await askFaults({ notebook, focus }, languageServer),
      }));
      return { ...reply, faults: [...(reply.faults ?? []), ...lint] };
    }
    const place: QuestionPosition = { notebook, focus, position: question.position };
    switch (question.ask) {
      case 'complete': {
        const run = await runSideOf(place, readValue);
        // A language server cannot complete text in quotation marks.
        const isKey = run.access?.kind === 'key' && run.access.quote !== null;
        const reply = await withServer(signal, async (languageServer) => ({
          items: isKey
            ? []
            : [...(await askCompletion(place, run, { asked: languageServer, read: readList }))],
        }));
        return { ...reply, items: mergeItems(run, reply.items ?? []) };
      }
      case 'hover': {
        const value = await hoverValue(place, readValue);
        return {
          ...value,
          ...(await withServer(signal, (languageServer) => askHover(place, languageServer))),
        };
      }
      case 'signature':
        return withServer(signal, (languageServer) => askSignature(place, languageServer));
      case 'definition':
        return withServer(signal, (languageServer) => askDefinition(place, languageServer, dir));
      case 'references':
        return withServer(signal, (languageServer) => askReferences(place, languageServer, dir));
      case 'rename': {
        const { name } = question;
        return withServer(signal, (languageServer) => askRename({ ...place, name, dir }, languageServer));
      }
    }
  };

  return {
    async ask(cellId, question, signal) {
      const view = options.view();
      const cell = view.notebook.cells.find(({ id }) => id === cellId);
      if (cell === undefined || !LANGUAGES[cell.language].hasServices) return { state: 'ready', words: null };
      return answer(view, { cellId, question }, signal);
    },
    get pid() {
      return supervisor.pid;
    },
    close: () => supervisor.close(),
  };
}

/**
 * Null if it takes longer than `limitMs`.
 * @throws RequestDropped
 */
async function withPatience<T>(work: Promise<T>, limitMs: number, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) throw new RequestDropped();
  return new Promise<T | null>((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), limitMs);
    const drop = (): void => reject(new RequestDropped());
    signal.addEventListener('abort', drop, { once: true });
    const settled = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', drop);
    };
    work.then(resolve, reject).finally(settled);
  });
}
