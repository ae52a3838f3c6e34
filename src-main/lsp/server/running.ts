/** One running Python language server (ty) and its document, which is the text of a notebook's cells. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { OWN_FOLDER } from '../../lib/guardedFolder/place.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { TextChange, VirtualDocument } from '../document/virtualDocument.ts';
import type { LanguageTools } from '../tools/resolveTools.ts';
import { LspClient } from '../wire/lspClient.ts';

/** A file name that no notebook has: the document exists only in the editor's memory. */
const DOCUMENT_NAME = '__cellar_notebook__.py';

/** Variables that are passed on to a language server; none of them is a secret. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'USERPROFILE', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT'],
  ...['APPDATA', 'LOCALAPPDATA', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'],
];

interface ServerPlace {
  /** The notebook's folder. */
  readonly dir: NotebookFolder;
  /** The interpreter whose packages are read; it is not started. */
  readonly python: string;
  readonly tools: LanguageTools;
}

/** Starts a language server. Tests pass their own. */
export type StartProgram = (place: ServerPlace) => ChildProcessWithoutNullStreams;

/** Starts ty for a notebook. */
export const startTy: StartProgram = ({ dir, tools }) => {
  const env: NodeJS.ProcessEnv = {
    // Lower priority, so that it leaves a core to the cells.
    TY_MAX_PARALLELISM: '2',
    NO_COLOR: '1',
  };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return spawn(tools.ty, ['server'], { cwd: dir, env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
};

/** A running language server with its one document. */
export class RunningServer {
  readonly client: LspClient;
  readonly uri: string;
  /** Resolves once it answers; rejects if it never does. */
  readonly ready: Promise<void>;
  #document: VirtualDocument | null = null;
  #version = 0;
  #modules: ReadonlyMap<string, string> | null = null;
  readonly #root: string;

  constructor(place: ServerPlace, start: StartProgram, onGone: (why: string) => void) {
    const root = pathToFileURL(place.dir).href;
    this.#root = root;
    this.uri = `${root}/${DOCUMENT_NAME}`;
    const settings = settingsOf(place);
    this.client = new LspClient(start(place), {
      settings: (section) => (section === 'ty' ? settings : {}),
      onGone,
    });
    this.ready = this.#begin(root, settings);
  }

  /** Updates the server's text to `document`. Later requests are about this text. */
  show(document: VirtualDocument): void {
    if (this.#document === null) {
      this.#version = 1;
      const opened = { uri: this.uri, languageId: 'python', version: 1, text: document.text };
      this.client.notify('textDocument/didOpen', { textDocument: opened });
    } else {
      const change: TextChange | null = document.changeFrom(this.#document);
      if (change !== null) {
        this.#version += 1;
        this.client.notify('textDocument/didChange', {
          textDocument: { uri: this.uri, version: this.#version },
          contentChanges: [change],
        });
      }
    }
    this.#document = document;
  }

  /** Reports which files of the folder have changed since the last report. */
  follow(modules: ReadonlyMap<string, string>): void {
    const before = this.#modules;
    this.#modules = modules;
    if (before === null) return;
    const changes = [...new Set([...before.keys(), ...modules.keys()])]
      .filter((path) => before.get(path) !== modules.get(path))
      .map((path) => ({
        uri: `${this.#root}/${path.split('/').map(encodeURIComponent).join('/')}`,
        type: !before.has(path) ? CREATED : modules.has(path) ? CHANGED : DELETED,
      }));
    if (changes.length > 0) this.client.notify('workspace/didChangeWatchedFiles', { changes });
  }

  async #begin(root: string, settings: object): Promise<void> {
    await this.client.request('initialize', {
      processId: process.pid,
      rootUri: root,
      workspaceFolders: [{ uri: root, name: 'notebook' }],
      capabilities: CAPABILITIES,
      initializationOptions: settings,
    });
    this.client.notify('initialized', {});
  }
}

function settingsOf({ python, tools }: ServerPlace): object {
  return {
    configuration: {
      // The files of cells are the document's own text: with them every result would be found twice.
      src: { exclude: ['cells/', `${OWN_FOLDER}/`, '.venv/'] },
      environment: { python, 'extra-paths': [tools.stubs] },
    },
    // Without auto-import, because the editor lists the names of other cells itself.
    completions: { autoImport: false },
    diagnosticMode: 'openFilesOnly',
  };
}

/** The protocol's numbers for changes of a file. */
const [CREATED, CHANGED, DELETED] = [1, 2, 3];
const MARKDOWN = ['markdown'];
const CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  workspace: { configuration: true, workspaceFolders: true },
  textDocument: {
    synchronization: {},
    completion: {
      completionItem: { snippetSupport: false, documentationFormat: MARKDOWN, labelDetailsSupport: true },
      contextSupport: true,
    },
    hover: { contentFormat: MARKDOWN },
    signatureHelp: {
      signatureInformation: {
        documentationFormat: MARKDOWN,
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
      },
    },
    diagnostic: {},
    rename: {},
  },
};
