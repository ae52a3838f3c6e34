/** What each folder of src-main and src-renderer contains, for the generated tables of docs/architecture.md. */

/** What each folder owns, for the tables of docs/architecture.md. `node scripts/architecture.mjs` writes them. */
export const MAIN_ROLES: Readonly<Record<string, string>> = {
  cli: 'verbs of `svc`, the composition of the program',
  shell: 'the desktop window (Electron and Node core only, [desktop.md](desktop.md))',
  server: 'HTTP, live sockets, scopes, limits, OpenAPI',
  agent: 'the assistant: chats, jobs with tools, confirmations, memory ([assistant.md](assistant.md))',
  mcp: 'what agents from outside may ask: tools, resources and prompts of the MCP endpoint',
  session: 'open notebooks: mailbox, reducers, statuses, frames, effects',
  run: 'what the run of a cell is keyed by, whether the store answers it, how its results are stored',
  convert: 'exports, snapshots, Jupyter import',
  terminal: 'shells of notebooks behind pseudo terminals, and the windows that show them',
  worker: 'the worker process: `svc worker` ([worker.md](worker.md))',
  exec: 'processes of cells on this machine, and cells sent to workers',
  git: 'what changed in a notebook since the last commit',
  language: 'names, diagnostics and shared code of each language',
  lsp: 'the Python language server of the editor: its document, its process, its answers',
  table: 'pages, filters, summaries and exports of tables',
  ai: 'models that answer prompts',
  blobs: 'buckets, and addresses of them that are signed',
  dataPlane: 'scans and transforms that clients request: materialize, streams, admission',
  builds: 'signed builds: leases, uploads, finalize',
  registry: 'the artifact store of a server: versions, names, lineage, collection',
  remoteStore: 'the artifact store of another server, which several servers share',
  relay: 'calls carried to workers over one WebSocket ([relay.md](relay.md))',
  mount: 'mounts, fetched files, their copies and fingerprints',
  environment: 'uv, interpreters, syncs, R packages',
  iceberg: 'Iceberg tables: catalogs, metadata, planning, Parquet to Arrow, writing',
  sql: 'statements, drivers, and the threads and processes they run in',
  artifacts: 'the store: blobs on disk, rows in SQLite',
  notebook: 'files of a notebook folder',
  secrets: 'secret managers',
  config: 'one table of variables',
  observe: 'the log and traces',
  lib: 'files, links, locks, hashes: no domain words',
};

export const RENDERER_ROLES: Readonly<Record<string, string>> = {
  panels: 'the workbench around the cells',
  home: 'the first page',
  appView: 'a notebook without its code',
  palette: 'commands and quick open over the page',
  find: 'find and replace',
  notebook: 'the column of cells',
  outputs: 'results',
  editor: 'the text of cells',
  commands: 'the table of everything a person can do',
  live: 'the socket, edits, runs, undo',
  state: '`applyFrame` and what is computed from it',
};

/** Folders of the window that do not depend on notebooks and belong to no row. */
export const RENDERER_LEAVES: Readonly<Record<string, string>> = {
  ui: 'buttons, dialogs, menus, fields',
  theme: 'colours and type',
  words: 'the texts of the window, a table per subject',
  gallery: 'a page that shows every part of `ui`, for its tests',
  testing: 'the window in a document without layout, for tests of components',
};
