/** The table of all commands of `svc`. */

import type { CommandEntry, CommandTable } from './commandTable.ts';

/** Commands about single cells (docs/spec/command-line.md, 4). */
const CELL: CommandTable = {
  list: {
    summary: 'List the cells in notebook order.',
    load: async () => (await import('./verbs/cellReading.ts')).cellList,
  },
  show: {
    summary: 'Show one cell, all cells, or the cell that defines a variable.',
    load: async () => (await import('./verbs/cellReading.ts')).cellShow,
  },
  run: {
    summary: 'Run a cell and the cells it needs. Exit code 1 if it fails.',
    load: async () => (await import('./verbs/cellRunning.ts')).cellRun,
  },
  cancel: {
    summary: 'Stop a cell that runs on a server. Exit code 1 if it was not running.',
    load: async () => (await import('./verbs/cellRunning.ts')).cellCancel,
  },
  output: {
    summary: 'Save an output of a cell to a file.',
    load: async () => (await import('./verbs/cellReading.ts')).cellOutput,
  },
  test: {
    summary: 'Run the tests of these cells, or of all cells with tests.',
    load: async () => (await import('./verbs/cellTest.ts')).cellTest,
  },
  add: {
    summary: 'Add a cell, and optionally run it.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellAdd,
  },
  edit: {
    summary: 'Replace the source of a cell.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellEdit,
  },
  rm: {
    summary: 'Delete a cell.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellRemove,
  },
  mv: {
    summary: 'Move a cell to another position.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellMove,
  },
  annotate: {
    summary: 'Set or remove annotations with a single value, such as `# @timeout 60`.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellAnnotate,
  },
  'pin-fetch': {
    summary: 'Pin the last downloads of a cell: write their `sha256=` into its `@fetch` lines.',
    load: async () => (await import('./verbs/cellPinFetch.ts')).cellPinFetch,
  },
};

/**
 * Commands that edit the workers in the notebook file and manage workers on SSH hosts (docs/spec/remote-execution.md,
 * 11).
 */
const WORKER: CommandTable = {
  ls: {
    summary: 'List the workers defined in the notebook file.',
    load: async () => (await import('./verbs/workerFile.ts')).workerList,
  },
  add: {
    summary: 'Define a worker in the notebook file.',
    load: async () => (await import('./verbs/workerFile.ts')).workerAdd,
  },
  rm: {
    summary: 'Remove a worker from the notebook file.',
    load: async () => (await import('./verbs/workerFile.ts')).workerRemove,
  },
  default: {
    summary: 'Set the default worker. `local` is this machine.',
    load: async () => (await import('./verbs/workerFile.ts')).workerDefault,
  },
  'add-ssh': {
    summary: 'Install and start a worker on another machine over SSH, through a running server.',
    load: async () => (await import('./verbs/workerSsh.ts')).workerAddSsh,
  },
  'rm-ssh': {
    summary: 'Detach a worker that was attached over SSH.',
    load: async () => (await import('./verbs/workerSsh.ts')).workerRmSsh,
  },
};

const DEP: CommandTable = {
  add: {
    summary: 'Add a package to a notebook.',
    load: async () => (await import('./verbs/dep.ts')).depAdd,
  },
  rm: {
    summary: 'Remove a package from a notebook.',
    load: async () => (await import('./verbs/dep.ts')).depRemove,
  },
};

/** The artifact store of a server, in its folder on this machine (docs/spec/command-line.md, 5). */
const ARTIFACT: CommandTable = {
  list: {
    summary: 'List stored versions, newest first.',
    load: async () => (await import('./verbs/artifact/reading.ts')).artifactList,
  },
  show: {
    summary: 'Show a version with its names, tags and pins.',
    load: async () => (await import('./verbs/artifact/reading.ts')).artifactShow,
  },
  lineage: {
    summary: 'Show what a version was made from.',
    load: async () => (await import('./verbs/artifact/reading.ts')).artifactLineage,
  },
  audit: {
    summary: 'Show the changes of names, aliases, tags and publications, newest first.',
    load: async () => (await import('./verbs/artifact/reading.ts')).artifactAudit,
  },
  pending: {
    summary: 'List the changes of protected aliases that wait for approval.',
    load: async () => (await import('./verbs/artifact/reading.ts')).artifactPending,
  },
  pull: {
    summary: 'Copy the bytes of a version to a file.',
    load: async () => (await import('./verbs/artifact/files.ts')).artifactPull,
  },
  archive: {
    summary: 'Write a published version, with its page and metadata, to a zip file.',
    load: async () => (await import('./verbs/artifact/files.ts')).artifactArchive,
  },
  publish: {
    summary: 'Publish a version. The token of its page is shown only once.',
    load: async () => (await import('./verbs/artifact/publishing.ts')).artifactPublish,
  },
  unpublish: {
    summary: 'Withdraw a publication.',
    load: async () => (await import('./verbs/artifact/publishing.ts')).artifactUnpublish,
  },
  promote: {
    summary: 'Copy a version and what it was made from to the store of another server, and name it there.',
    load: async () => (await import('./verbs/artifact/promoting.ts')).artifactPromote,
  },
  export: {
    summary: 'Write a version to an Iceberg table.',
    load: async () => (await import('./verbs/artifact/exporting.ts')).artifactExport,
  },
  verify: {
    summary: 'Check every stored file against its record. Exit code 1 if there are problems.',
    load: async () => (await import('./verbs/artifact/upkeep.ts')).artifactVerify,
  },
  gc: {
    summary: 'Delete unreferenced versions that are idle too long or exceed a size limit.',
    load: async () => (await import('./verbs/artifact/upkeep.ts')).artifactGc,
  },
  migrate: {
    summary: 'Copy the records of the store to PostgreSQL. An interrupted migration is continued.',
    load: async () => (await import('./verbs/artifact/migrate.ts')).artifactMigrate,
  },
};

/** Every verb. */
export const VERBS = {
  serve: {
    summary: 'Serve notebooks in the browser, over REST and over the live protocol.',
    load: async () => (await import('./verbs/serve.ts')).serve,
  },
  run: {
    summary: 'Run all cells of a notebook. Unchanged cells come from the cache.',
    load: async () => (await import('./verbs/run.ts')).run,
  },
  cell: {
    summary: 'Show, run, test and edit single cells, in a folder or on a running server.',
    commands: CELL,
  },
  status: {
    summary: 'Show the status of the environment and of each cell.',
    load: async () => (await import('./verbs/notebookReading.ts')).status,
  },
  dag: {
    summary: 'Show which cells read from which.',
    load: async () => (await import('./verbs/notebookReading.ts')).dag,
  },
  artifact: {
    summary: 'Read, publish, check and clean up the artifact store in a folder of this machine.',
    commands: ARTIFACT,
  },
  dep: { summary: 'Add or remove a package of a notebook.', commands: DEP },
  export: {
    summary: 'Export a notebook to a single file, without running it.',
    load: async () => (await import('./verbs/export.ts')).exportNotebook,
  },
  import: {
    summary: 'Import a Jupyter notebook or a snapshot as a new notebook, and report the changes.',
    load: async () => (await import('./verbs/import.ts')).importFile,
  },
  watch: {
    summary: 'Follow the runs and changes of a notebook that is open on a server.',
    load: async () => (await import('./verbs/watch.ts')).watch,
  },
  agent: {
    summary: 'Prepare a notebook for an agent and serve it over MCP (docs/mcp.md).',
    load: async () => (await import('./verbs/agent.ts')).agent,
  },
  validate: {
    summary: 'Check a notebook for problems, without running it.',
    load: async () => (await import('./verbs/validate.ts')).validate,
  },
  worker: {
    summary:
      'Run cells that other machines send here (see docs/worker.md), or edit the workers of a notebook.',
    commands: WORKER,
    load: async () => (await import('./verbs/worker.ts')).worker,
  },
  new: {
    summary: 'Create a notebook folder.',
    load: async () => (await import('./verbs/new.ts')).newNotebook,
  },
  relay: {
    summary: 'Relay requests to workers that connect here instead of opening a port (docs/relay.md).',
    load: async () => (await import('./verbs/relay.ts')).relay,
  },
} as const satisfies CommandTable;

/** The program itself, as the list of its verbs. */
export const PROGRAM: CommandEntry = { summary: 'Notebooks that store every result.', commands: VERBS };
