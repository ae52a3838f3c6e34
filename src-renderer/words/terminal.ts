/** UI texts of the terminal drawer. */
export const TERMINAL_WORDS = {
  list: 'Terminals',
  add: 'New terminal',
  close: (name: string): string => `Close ${name}`,
  screen: (name: string): string => `${name}. Press F6 to leave the terminal.`,
  empty: 'No terminal is open',
  emptyText: 'A terminal runs your shell in the notebook’s folder, with its Python environment activated.',
  untrusted: 'No terminal in an untrusted folder',
  untrustedText: 'Trust this folder to open a terminal in it.',
  exited: (code: number): string =>
    code === 0 ? 'The shell has exited.' : `The shell has exited with code ${code}.`,
  exitedName: (name: string): string => `${name} (exited)`,
  lost: 'Connection lost. Reconnecting…',
  starting: 'Starting the shell…',
  search: 'Search this terminal',
  searchFor: 'Search for',
  matches: (index: number, count: number): string =>
    count === 0 ? 'No match' : index < 0 ? `${count} matches` : `${index + 1} of ${count}`,
  wrongPattern: 'Invalid regular expression',
  matchCase: 'Match case',
  regex: 'Regular expression',
  above: 'Match above',
  below: 'Match below',
  closeSearch: 'Close the search',
  openLink: 'Open this address in the browser?',
  badLink: 'This address cannot be opened',
  open: 'Open',
} as const;
