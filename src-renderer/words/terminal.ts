/** Words of the terminal drawer. */
export const TERMINAL_WORDS = {
  list: 'Terminals',
  add: 'New terminal',
  close: (name: string): string => `Close ${name}`,
  screen: (name: string): string => `${name}. Press F6 to leave the terminal.`,
  empty: 'No terminal is open',
  emptyText:
    'A terminal runs your shell in the folder of the notebook, with its Python environment activated.',
  untrusted: 'No terminal in an untrusted folder',
  untrustedText: 'Trust this folder to open a terminal in it.',
  exited: (code: number): string =>
    code === 0 ? 'The shell has exited.' : `The shell has exited with code ${code}.`,
  exitedName: (name: string): string => `${name} (exited)`,
  lost: 'Connection lost. Reconnecting…',
  starting: 'Starting the shell…',
} as const;
