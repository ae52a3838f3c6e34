/** UI texts of the first page: opening, creating, finding and deleting notebooks. */

const countWithNoun = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The first page: opening, making, finding and deleting notebooks. */
export const HOME_WORDS = {
  open: 'Open folder',
  create: 'New notebook',
  importing: 'Import',
  settings: 'Settings',
  // Lists
  search: 'Search notebooks',
  found: (count: number): string => (count === 1 ? '1 notebook' : `${count} notebooks`),
  nothingFound: (text: string): string => `No results for “${text}”`,
  nothingFoundText: 'The search covers the names and paths of the notebooks on this page.',
  sessions: 'Open now',
  recents: 'Recent',
  discovered: 'On this computer',
  discoveredIn: (root: string): string => `On this computer, in ${root}`,
  examples: 'Examples',
  examplesHint: 'Small notebooks with real data. Change them as you like.',
  exampleCells: (count: number): string => (count === 1 ? '1 cell' : `${count} cells`),
  showAll: (count: number): string => `Show all ${count}`,
  showAllExamples: (count: number): string => `Show all ${count} examples`,
  showFewer: 'Show fewer',
  clearRecents: 'Clear list',
  cleared: (count: number): string =>
    count === 1 ? '1 notebook removed from the list' : `${count} notebooks removed from the list`,
  undo: 'Undo',
  missing: 'missing',
  missingHint: 'The folder was moved, renamed or deleted, or no longer contains a notebook.',
  // Rows
  rowActions: (name: string): string => `More: ${name}`,
  openRow: 'Open',
  openWindow: 'Open in new window',
  pin: 'Pin to top',
  unpin: 'Unpin',
  forget: 'Remove from list',
  copyPath: 'Copy path',
  copied: 'Path copied',
  copyFailed: 'Couldn’t copy the path to the clipboard.',
  close: 'Close notebook',
  closed: (name: string): string => `${name} was closed. Nothing is lost.`,
  remove: 'Delete notebook…',
  untitled: 'Untitled notebook',
  // Empty, loading, offline
  emptyTitle: 'No notebooks yet',
  emptyText: 'Open a notebook folder, create a new notebook, or try an example.',
  loading: 'Looking for notebooks…',
  offlineTitle: 'The server is not responding',
  offlineText: 'You can open notebooks when it is back. Reconnecting every few seconds.',
  tryNow: 'Reconnect now',
  listFailed: (what: string, why: string): string => `Couldn’t load the list “${what}”: ${why}`,
  // Opening
  openTitle: 'Open a notebook',
  openAbout: 'A notebook is a folder with a notebook.toml file. Its cells are plain text files.',
  openPath: 'Notebook folder',
  openPlaceholder: '/home/me/notebooks/bike-trips',
  openDropped: (name: string): string =>
    `The browser does not show where “${name}” is on this computer. Enter its path.`,
  openGo: 'Open',
  opening: 'Opening…',
  openingText: 'The first time, Cellar prepares Python and the packages. No cell runs.',
  openFailed: 'Couldn’t open the notebook',
  // Making
  createTitle: 'New notebook',
  createName: 'Name',
  createNamePlaceholder: 'Bike trips',
  createParent: 'Folder',
  createWhere: (path: string): string => `Creates ${path}`,
  createPython: 'Python',
  createGo: 'Create',
  creating: 'Creating…',
  choose: 'Choose…',
  nameEmpty: 'Enter a name.',
  nameBad: 'Names can’t contain / or \\, or consist only of dots.',
  parentEmpty: 'Enter a folder.',
  // Importing
  importTitle: 'Import',
  importText:
    'Creates a new notebook from a Jupyter notebook (.ipynb) or a snapshot (.zip). The file does not change, and no cell runs.',
  importChoose: 'Choose file…',
  importStop: 'Stop',
  importOpen: 'Open notebook',
  importingFile: (name: string): string => `Importing “${name}”…`,
  imported: (name: string): string => `${name} was imported`,
  importBroken: 'The import was interrupted. Try again.',
  importReport: {
    cells: (code: number, text: number): string => {
      const kinds = [
        ...(code === 0 ? [] : [countWithNoun(code, 'code cell')]),
        ...(text === 0 ? [] : [countWithNoun(text, 'text cell')]),
      ];
      return `Imported: ${kinds.join(' and ') || 'no cells'}. Outputs from the file are shown until a cell runs. They are not results.`;
    },
    silent: (count: number): string =>
      `${countWithNoun(count, 'cell')} that end with ; still show no output.`,
    titles: {
      warnings: 'Warnings',
      dropped_shells: 'Shell commands that were not run',
      dropped_magics: 'Unsupported magics that were removed',
      translated_magics: 'Converted magics',
      captured_deps: 'Packages from install commands',
      skipped_cells: 'Skipped cells',
    },
    cell: (place: number): string => `Cell ${place}`,
    kept: (count: number): string => `${countWithNoun(count, 'stored result')} imported.`,
    ownId: 'A notebook with the same ID already exists, so this one has a new ID.',
    without: 'Cells without results, to be run again',
  },
  // Dropping
  dropTitle: 'Drop a notebook folder to open it, or an .ipynb file or snapshot to import it',
  dropNotFolder: (name: string): string =>
    `Can’t open “${name}”. Drop a notebook folder, a Jupyter notebook (.ipynb) or a snapshot (.zip).`,
  // Deleting
  deleteTitle: (name: string): string => `Delete ${name}?`,
  deleteText: 'This deletes the whole folder from disk. You can’t undo this. It deletes:',
  deleteWhat: [
    'all cells, their tests and their history',
    'all stored results',
    'all other files in the folder, including data',
  ],
  deleteOpen: 'The notebook is open. It will be closed in all windows first.',
  deleteType: (name: string): string => `Type ${name} to confirm`,
  deleteGo: 'Delete permanently',
  deleting: 'Deleting…',
  deleted: (name: string): string => `${name} was deleted`,
} as const;
