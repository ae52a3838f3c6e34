/** Every verb: its usage line and how to load it. Loading is lazy so that one verb never pays for another. */
export const VERBS = {
  serve: {
    usage: '[--port N] [--host H] [--grant DIR]… [--open DIR] [--token-file FILE]',
    summary: 'Serve notebooks over REST and the live protocol, with the window at its root.',
    load: async () => (await import('./verbs/serve.ts')).serve,
  },
  run: {
    usage: 'DIR [--force] [--no-sync] [--timeout S] [--quiet] [--format human|json]',
    summary: 'Run every cell of a notebook; unchanged cells come from the cache.',
    load: async () => (await import('./verbs/run.ts')).run,
  },
  cell: {
    usage:
      'list|show|run|cancel|output|test|add|edit|rm|mv|annotate|pin-fetch (DIR | --server URL --session ID) … [--format json|human]',
    summary: 'Look at, run, test and change single cells, in a folder or a running server.',
    load: async () => (await import('./verbs/cell.ts')).cell,
  },
  status: {
    usage: '(DIR | --server URL --session ID) [--format json|human]',
    summary: 'Say how the environment and each cell of a notebook stand.',
    load: async () => (await import('./verbs/notebookReading.ts')).status,
  },
  dag: {
    usage: '(DIR | --server URL --session ID) [--format json|human]',
    summary: 'Say which cell reads what of which.',
    load: async () => (await import('./verbs/notebookReading.ts')).dag,
  },
  dep: {
    usage: 'add|rm (DIR | --server URL --session ID) PACKAGE [--format json|human]',
    summary: 'Add a package to a notebook, or remove one.',
    load: async () => (await import('./verbs/dep.ts')).dep,
  },
  export: {
    usage:
      '(DIR | --server URL --session ID) --to markdown|html|snapshot [--out F] [--include all|selected|none] [--cells a,b] [--force] [--include-inactive-variants] [--no-console] [--app-view] [--max-output-bytes N]',
    summary: 'Write a notebook as one file; nothing runs.',
    load: async () => (await import('./verbs/export.ts')).exportNotebook,
  },
  import: {
    usage: 'F.ipynb|F.zip [--out DIR] [--check-deps] [--server URL [--session ID]]',
    summary: 'Make a notebook of a Jupyter notebook or a snapshot, and say what became of it.',
    load: async () => (await import('./verbs/import.ts')).importFile,
  },
  watch: {
    usage: '[DIR | --session ID] [--server URL] [--token-file FILE]',
    summary: 'Follow what happens in a notebook that a server has open.',
    load: async () => (await import('./verbs/watch.ts')).watch,
  },
  validate: {
    usage: 'DIR [--format human|json]',
    summary: 'Read a notebook and say what is wrong with it; nothing runs.',
    load: async () => (await import('./verbs/validate.ts')).validate,
  },
  worker: {
    usage:
      '[--host H] [--port 9000] [--connect URL] [--log-level debug|info|warning|error] [--max-concurrent N] [--gpu-slots N]',
    summary: 'Run cells that other machines send here; docs/worker.md says how to host one.',
    load: async () => (await import('./verbs/worker.ts')).worker,
  },
  new: {
    usage: 'NAME [--parent DIR] [--python X.Y] [--no-env] [--format human|json]',
    summary: 'Make a notebook folder.',
    load: async () => (await import('./verbs/new.ts')).newNotebook,
  },
  relay: {
    usage:
      '[--host H] [--port N] [--workers FILE] [--max-body-mb N] [--max-streams N] [--max-spool-mb N] [--drain-seconds N] [--log-level debug|info|warning|error] [--log-format text|json]',
    summary: 'Carry calls to workers that bind no port and connect here instead (docs/relay.md).',
    load: async () => (await import('./verbs/relay.ts')).relay,
  },
} as const satisfies Record<
  string,
  {
    readonly usage: string;
    readonly summary: string;
    readonly load: () => Promise<(args: readonly string[]) => Promise<number>>;
  }
>;

export type VerbName = keyof typeof VERBS;

export function parseVerb(name: string): VerbName | null {
  return Object.hasOwn(VERBS, name) ? (name as VerbName) : null;
}

export const USAGE = `svc <verb> …

${Object.entries(VERBS)
  .map(([name, verb]) => `  ${name} ${verb.usage}\n      ${verb.summary}\n`)
  .join('')}
Exit codes: 0 ok, 1 the operation failed, 2 wrong use or set-up.
`;
