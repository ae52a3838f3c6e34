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
    usage: 'test DIR [ID]… [--file FILE|-] [--no-sync] [--format json|human]',
    summary: 'Run the tests of these cells, or of every cell that has some; --file sets them first.',
    load: async () => (await import('./verbs/cell.ts')).cell,
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
