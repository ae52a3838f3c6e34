import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  CompletionItem,
  LanguageAnswer,
  LanguageFault,
  LanguagePlace,
  LanguageQuestion,
} from '../../src-shared/wire/routes/language.ts';
import { excerptOf } from './answers/excerpt.ts';
import { offersOf, type Part, partsOf, previewOf } from './answers/fromRun.ts';
import {
  knowsNothing,
  type ReadPlace,
  readCompletions,
  readFaults,
  readHover,
  readPlaces,
  readSignatures,
} from './answers/fromServer.ts';
import { type Asked, askRename } from './answers/rename.ts';
import type { NotebookText, StoredValue } from './document/notebookText.ts';
import { accessAt, nameAt } from './document/pythonWord.ts';
import { type Position, type Segment, VirtualDocument } from './document/virtualDocument.ts';
import { cellsSharing, documentFor, type Focus, linkedDocument } from './document/visibleCells.ts';
import { formatCell, lintCell } from './ruff/ruffCells.ts';
import type { Ruff } from './ruff/ruffThread.ts';
import type { StartProgram } from './server/running.ts';
import { type Ground, Supervisor } from './server/supervisor.ts';
import type { FoundTools } from './tools/resolveTools.ts';
import { RequestDropped, RequestRefused, ServerGone } from './wire/lspClient.ts';

/** What the language side may know of a notebook at the moment of a request. */
export interface LanguageView {
  readonly notebook: NotebookText;
  /** Null: no server may be started, for which `words` give the reason. */
  readonly ground: Ground | null;
  readonly words: string | null;
}

export interface LanguageOptions {
  /** The notebook's folder. */
  readonly dir: string;
  readonly view: () => LanguageView;
  /** The bytes of a stored value as text, where they are few; null: they are many, or gone. */
  readonly readValue: (value: StoredValue) => Promise<string | null>;
  readonly tools: (python: string) => Promise<FoundTools>;
  readonly start: StartProgram;
  readonly ruff: Ruff;
  readonly log: (words: string) => void;
  /** How long a request waits for a server that starts. */
  readonly patienceMs?: number;
}

/** The editor's questions about one open notebook, answered by its language server and by its last results. */
export interface NotebookLanguage {
  /** @param signal nobody waits for the answer any more. Rejects then, with RequestDropped, and for no other reason */
  ask(cellId: string, question: LanguageQuestion, signal: AbortSignal): Promise<LanguageAnswer>;
  /** The process of the server; null while there is none. */
  readonly pid: number | null;
  close(): void;
}

const PATIENCE_MS = 8_000;
const EMPTY: Omit<LanguageAnswer, 'state' | 'words'> = {};

export function createNotebookLanguage(options: LanguageOptions): NotebookLanguage {
  const supervisor = new Supervisor(options);
  let batch = 0;
  let documents: ReadonlyMap<string, string> = new Map();
  /** Said once in the log, not at each key. */
  let saidOff: string | null = null;

  const off = (words: string, more = EMPTY): LanguageAnswer => {
    if (saidOff !== words) options.log(words);
    saidOff = words;
    return { state: 'off', words, ...more };
  };

  /** Asks the server about a document; a server that ends meanwhile is asked again once, as another one. */
  const withServer = async (
    ground: Ground,
    signal: AbortSignal,
    work: (asked: Asked) => Promise<Omit<LanguageAnswer, 'state' | 'words'>>,
  ): Promise<LanguageAnswer> => {
    for (let tries = 0; ; tries += 1) {
      const found = await withPatience(supervisor.server(ground), options.patienceMs ?? PATIENCE_MS, signal);
      if (found === null) return { state: 'starting', words: null };
      if (found.kind === 'unavailable') return off(found.words);
      const { server } = found;
      const ask: Asked = {
        uri: server.uri,
        show: (document) => server.show(document),
        request: (method, params) =>
          server.client.request(method, { textDocument: { uri: server.uri }, ...params }, signal),
      };
      try {
        return { state: 'ready', words: null, ...(await work(ask)) };
      } catch (error) {
        // A question about a text that is no more has no answer.
        if (error instanceof RequestRefused) return { state: 'ready', words: null };
        if (!(error instanceof ServerGone) || tries > 0) {
          if (error instanceof ServerGone) return { state: 'starting', words: null };
          throw error;
        }
      }
    }
  };

  const storedOf = (notebook: NotebookText, cellId: string, name: string): StoredValue | null => {
    const giver = notebook.wiring.get(cellId)?.get(name) ?? null;
    const found = notebook.values.filter((value) => value.name === name);
    return (
      found.find((value) => value.cellId === (giver ?? cellId)) ??
      found.findLast((value) => value.cellId === cellId) ??
      found.at(-1) ??
      null
    );
  };

  const partsAt = async (notebook: NotebookText, cellId: string, name: string): Promise<readonly Part[]> => {
    const value = storedOf(notebook, cellId, name);
    if (value === null) return [];
    return partsOf(value, value.columns === null ? await options.readValue(value) : null);
  };

  const complete = async (
    view: LanguageView,
    focus: Focus,
    { position, signal }: { readonly position: Position; readonly signal: AbortSignal },
  ): Promise<LanguageAnswer> => {
    const access = accessAt(focus.source, position);
    const parts = access === null ? [] : await partsAt(view.notebook, focus.cellId, access.name);
    const ran = access === null ? [] : offersOf(access, parts);
    if (view.ground === null) return off(view.words ?? '', { items: [...ran] });
    // A text in quotation marks is nothing a language server completes.
    if (access?.kind === 'key' && access.quote !== null)
      return { state: 'ready', words: null, items: [...ran] };
    const answer = await withServer(view.ground, signal, async (asked) => {
      const items = await listOf(documentFor(view.notebook, focus), asked);
      const table = access?.kind === 'attribute' && parts.some(({ kind }) => kind === 'column');
      if (!table || !knowsNothing(items)) return { items };
      // The code does not say what it is: the last run does.
      return { items: await listOf(withType(view.notebook, focus, access.name), asked) };
    });
    return { ...answer, items: merged(ran, answer.items ?? []) };

    async function listOf(segments: readonly Segment[], asked: Asked): Promise<CompletionItem[]> {
      const document = new VirtualDocument(segments);
      const at = document.toDocument(focus.cellId, position);
      if (at === null) return [];
      asked.show(document);
      const result = await asked.request('textDocument/completion', {
        position: at,
        context: { triggerKind: 1 },
      });
      batch += 1;
      const read = readCompletions(result, batch);
      documents = read.documents;
      return [...read.items];
    }
  };

  const hover = async (
    view: LanguageView,
    focus: Focus,
    { position, signal }: { readonly position: Position; readonly signal: AbortSignal },
  ): Promise<LanguageAnswer> => {
    const word = nameAt(focus.source, position);
    const isPart = word !== null && isAttribute(focus.source, word.span.start);
    const stored = word === null || isPart ? null : storedOf(view.notebook, focus.cellId, word.name);
    const json = stored === null || stored.columns !== null ? null : await options.readValue(stored);
    const value = stored === null ? null : previewOf(stored, json);
    const said = { value, span: word?.span ?? null };
    if (view.ground === null) return off(view.words ?? '', said);
    const answer = await withServer(view.ground, signal, async (asked) => {
      const { document, at } = placed(documentFor(view.notebook, focus), focus, position);
      if (at === null) return {};
      asked.show(document);
      const read = readHover(await asked.request('textDocument/hover', { position: at }));
      const span = read?.span === null || read === null ? null : document.spanToCell(read.span);
      return { markdown: read?.markdown ?? null, ...(span === null ? {} : { span: span.span }) };
    });
    return { ...said, ...answer };
  };

  const places = async (found: readonly ReadPlace[], asked: Asked, document: VirtualDocument) => {
    const read: LanguagePlace[] = [];
    for (const { uri, span } of found) {
      if (uri === asked.uri) {
        const there = document.spanToCell(span);
        if (there !== null) read.push({ in: 'cell', cell_id: there.cellId, span: there.span });
        continue;
      }
      const path = uri.startsWith('file:') ? fileURLToPath(uri) : null;
      const excerpt = path === null ? null : await excerptOf(path, span);
      if (path === null || excerpt === null) continue;
      const inside = relative(options.dir, path);
      const local = !inside.startsWith('..') && !isAbsolute(inside) && !inside.includes('site-packages');
      read.push({ in: 'file', path: local ? inside : path, local, ...excerpt });
    }
    return read;
  };

  const answers: {
    readonly [K in LanguageQuestion['ask']]: (
      view: LanguageView,
      question: Extract<LanguageQuestion, { ask: K }>,
      on: { readonly cellId: string; readonly signal: AbortSignal },
    ) => Promise<LanguageAnswer>;
  } = {
    complete: (view, { source, position }, { cellId, signal }) =>
      complete(view, { cellId, source }, { position, signal }),
    document: async (_view, { item }) => ({
      state: 'ready',
      words: null,
      markdown: documents.get(item) ?? null,
    }),
    hover: (view, { source, position }, { cellId, signal }) =>
      hover(view, { cellId, source }, { position, signal }),
    signature: async (view, { source, position }, { cellId, signal }) => {
      if (view.ground === null) return off(view.words ?? '');
      const focus = { cellId, source };
      return withServer(view.ground, signal, async (asked) => {
        const { document, at } = placed(documentFor(view.notebook, focus), focus, position);
        if (at === null) return {};
        asked.show(document);
        return readSignatures(await asked.request('textDocument/signatureHelp', { position: at }));
      });
    },
    definition: async (view, { source, position }, { cellId, signal }) => {
      if (view.ground === null) return off(view.words ?? '');
      const focus = { cellId, source };
      return withServer(view.ground, signal, async (asked) => {
        const { document, at } = placed(documentFor(view.notebook, focus), focus, position);
        if (at === null) return {};
        asked.show(document);
        const found = readPlaces(await asked.request('textDocument/definition', { position: at }));
        return { places: await places(found, asked, document) };
      });
    },
    references: async (view, { source, position }, { cellId, signal }) => {
      if (view.ground === null) return off(view.words ?? '');
      const focus = { cellId, source };
      const word = nameAt(source, position);
      const shared = cellsSharing(view.notebook, cellId, word?.name ?? '');
      const segments = linkedDocument(view.notebook, focus, shared);
      return withServer(view.ground, signal, async (asked) => {
        const { document, at } = placed(segments, focus, position);
        if (at === null) return {};
        asked.show(document);
        const result = await asked.request('textDocument/references', {
          position: at,
          context: { includeDeclaration: true },
        });
        const found = await places(readPlaces(result), asked, document);
        const isVariable = shared.size > 1;
        return { places: found.filter((one) => !isVariable || one.in === 'file' || shared.has(one.cell_id)) };
      });
    },
    rename: async (view, { source, position, name }, { cellId, signal }) => {
      if (view.ground === null) return off(view.words ?? '');
      const focus = { cellId, source };
      return withServer(view.ground, signal, (asked) =>
        askRename({ notebook: view.notebook, focus, position, name, dir: options.dir }, asked),
      );
    },
    diagnostics: async (view, { source }, { cellId, signal }) => {
      const lint = await lintCell(options.ruff, source);
      if (view.ground === null) return off(view.words ?? '', { faults: lint });
      const focus = { cellId, source };
      const answer = await withServer(view.ground, signal, async (asked) => {
        const document = new VirtualDocument(documentFor(view.notebook, focus));
        asked.show(document);
        const read = readFaults(await asked.request('textDocument/diagnostic', {}));
        return { faults: ownFaults(read, document, view.notebook, focus) };
      });
      return { ...answer, faults: [...(answer.faults ?? []), ...lint] };
    },
    format: async (_view, { source }) => {
      const formatted = await formatCell(options.ruff, source);
      if ('text' in formatted) return { state: 'ready', words: null, text: formatted.text };
      return { state: 'ready', words: formatted.problem, text: null };
    },
  };

  return {
    async ask(cellId, question, signal) {
      const view = options.view();
      const cell = view.notebook.cells.find(({ id }) => id === cellId);
      if (cell?.language !== 'python') return { state: 'ready', words: null };
      // One answer for each question, by its name.
      const answer = answers[question.ask] as (typeof answers)['complete'];
      return answer(view, question as Extract<LanguageQuestion, { ask: 'complete' }>, { cellId, signal });
    },
    get pid() {
      return supervisor.pid;
    },
    close: () => supervisor.close(),
  };
}

function placed(segments: readonly Segment[], focus: Focus, position: Position) {
  const document = new VirtualDocument(segments);
  return { document, at: document.toDocument(focus.cellId, position) };
}

/** The document of a cell, with a name of it as the table that the last run left. */
function withType(notebook: NotebookText, focus: Focus, name: string): readonly Segment[] {
  const segments = documentFor(notebook, focus);
  const line = { cellId: null, text: `${name}: __cellar_pandas.DataFrame = __cellar_pandas.DataFrame()` };
  return [...segments.slice(0, -1), line, ...segments.slice(-1)];
}

/** What the last run knows comes first; a name is offered once. */
function merged(ran: readonly CompletionItem[], read: readonly CompletionItem[]): CompletionItem[] {
  const names = new Set(ran.map(({ label }) => label));
  return [...ran, ...read.filter(({ label }) => !names.has(label))];
}

function isAttribute(source: string, { line, character }: Position): boolean {
  const text = source.split(/\r\n|\r|\n/)[line] ?? '';
  return text[character - 1] === '.';
}

/** Faults of the cell itself, without those that the notebook's own analysis tells of. */
function ownFaults(
  read: readonly LanguageFault[],
  document: VirtualDocument,
  notebook: NotebookText,
  focus: Focus,
): LanguageFault[] {
  const cell = notebook.cells.find(({ id }) => id === focus.cellId);
  return read.flatMap((fault) => {
    const place = document.spanToCell(fault.span);
    if (place === null || place.cellId !== focus.cellId) return [];
    const name = /`([^`]+)`/.exec(fault.message)?.[1] ?? '';
    if (fault.code === 'unresolved-reference' && cell?.references.includes(name)) return [];
    return [{ ...fault, span: place.span }];
  });
}

/** Null where it takes longer than `limitMs`. @throws RequestDropped */
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
