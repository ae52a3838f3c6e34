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
      'list|show|run|cancel|output|test|add|edit|rm|mv|annotate (DIR | --server URL --session ID) … [--format json|human]',
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
  validate: {
    usage: 'DIR [--format human|json]',
    summary: 'Read a notebook and say what is wrong with it; nothing runs.',
    load: async () => (await import('./verbs/validate.ts')).validate,
  },
  new: {
    usage: 'NAME [--parent DIR] [--python X.Y] [--no-env] [--format human|json]',
    summary: 'Make a notebook folder.',
    load: async () => (await import('./verbs/new.ts')).newNotebook,
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
