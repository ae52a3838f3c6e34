import type { Listed, Listing } from './dispatch.ts';

/** Commands about single cells (API supplement 7). */
const CELL: Listing = {
  list: {
    summary: 'Every cell, in the notebook’s order.',
    load: async () => (await import('./verbs/cellReading.ts')).cellList,
  },
  show: {
    summary: 'One cell, all of them, or the cell that makes a variable.',
    load: async () => (await import('./verbs/cellReading.ts')).cellShow,
  },
  run: {
    summary: 'Run a cell and what it needs; exit code 1 where it fails.',
    load: async () => (await import('./verbs/cellRunning.ts')).cellRun,
  },
  cancel: {
    summary: 'Stop a cell that a server runs; exit code 1 where it was not running.',
    load: async () => (await import('./verbs/cellRunning.ts')).cellCancel,
  },
  output: {
    summary: 'Write what a cell showed to a file.',
    load: async () => (await import('./verbs/cellReading.ts')).cellOutput,
  },
  test: {
    summary: 'Run the tests of these cells, or of all that have some.',
    load: async () => (await import('./verbs/cellTest.ts')).cellTest,
  },
  add: {
    summary: 'Add a cell, and run it where asked.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellAdd,
  },
  edit: {
    summary: 'Give a cell another source.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellEdit,
  },
  rm: {
    summary: 'Delete a cell.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellRemove,
  },
  mv: {
    summary: 'Move a cell to a place among the others.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellMove,
  },
  annotate: {
    summary: 'Set or remove annotations that hold one value, such as `# @timeout 60`.',
    load: async () => (await import('./verbs/cellEditing.ts')).cellAnnotate,
  },
  'pin-fetch': {
    summary: 'Write `sha256=` of what was fetched last into the `@fetch` lines of a cell.',
    load: async () => (await import('./verbs/cellPinFetch.ts')).cellPinFetch,
  },
};

/** The workers of a notebook: its file, and those brought by ssh (worker-details 18). */
const WORKER: Listing = {
  ls: {
    summary: 'The workers a notebook’s file names.',
    load: async () => (await import('./verbs/workerFile.ts')).workerList,
  },
  add: {
    summary: 'Name a worker in a notebook’s file.',
    load: async () => (await import('./verbs/workerFile.ts')).workerAdd,
  },
  rm: {
    summary: 'Take a worker out of a notebook’s file.',
    load: async () => (await import('./verbs/workerFile.ts')).workerRemove,
  },
  default: {
    summary: 'Where cells run that name no worker; `local` is this machine.',
    load: async () => (await import('./verbs/workerFile.ts')).workerDefault,
  },
  'add-ssh': {
    summary: 'Let a running server bring a worker to a machine by ssh.',
    load: async () => (await import('./verbs/workerSsh.ts')).workerAddSsh,
  },
  'rm-ssh': {
    summary: 'Close the way to such a worker.',
    load: async () => (await import('./verbs/workerSsh.ts')).workerRmSsh,
  },
};

const DEP: Listing = {
  add: {
    summary: 'Add a package to a notebook.',
    load: async () => (await import('./verbs/dep.ts')).depAdd,
  },
  rm: {
    summary: 'Remove a package from a notebook.',
    load: async () => (await import('./verbs/dep.ts')).depRemove,
  },
};

/** Every verb. */
export const VERBS = {
  serve: {
    summary: 'Serve notebooks over REST and the live protocol, with the window at its root.',
    load: async () => (await import('./verbs/serve.ts')).serve,
  },
  run: {
    summary: 'Run every cell of a notebook; unchanged cells come from the cache.',
    load: async () => (await import('./verbs/run.ts')).run,
  },
  cell: {
    summary: 'Look at, run, test and change single cells, in a folder or a running server.',
    commands: CELL,
  },
  status: {
    summary: 'Say how the environment and each cell of a notebook stand.',
    load: async () => (await import('./verbs/notebookReading.ts')).status,
  },
  dag: {
    summary: 'Say which cell reads what of which.',
    load: async () => (await import('./verbs/notebookReading.ts')).dag,
  },
  dep: { summary: 'Add a package to a notebook, or remove one.', commands: DEP },
  export: {
    summary: 'Write a notebook as one file; nothing runs.',
    load: async () => (await import('./verbs/export.ts')).exportNotebook,
  },
  import: {
    summary: 'Make a notebook of a Jupyter notebook or a snapshot, and say what became of it.',
    load: async () => (await import('./verbs/import.ts')).importFile,
  },
  watch: {
    summary: 'Follow what happens in a notebook that a server has open.',
    load: async () => (await import('./verbs/watch.ts')).watch,
  },
  validate: {
    summary: 'Read a notebook and say what is wrong with it; nothing runs.',
    load: async () => (await import('./verbs/validate.ts')).validate,
  },
  worker: {
    summary:
      'Run cells that other machines send here (docs/worker.md says how to host one), or edit the workers of a notebook.',
    commands: WORKER,
    load: async () => (await import('./verbs/worker.ts')).worker,
  },
  new: {
    summary: 'Make a notebook folder.',
    load: async () => (await import('./verbs/new.ts')).newNotebook,
  },
  relay: {
    summary: 'Carry calls to workers that bind no port and connect here instead (docs/relay.md).',
    load: async () => (await import('./verbs/relay.ts')).relay,
  },
} as const satisfies Listing;

/** The program itself, as the list of its verbs. */
export const PROGRAM: Listed = { summary: 'Notebooks whose every result is kept.', commands: VERBS };
