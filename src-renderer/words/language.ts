/** UI texts of completion, definitions, uses and renames in Python cells. */
export const LANGUAGE_WORDS = {
  goToDefinition: 'Go to definition',
  findUses: 'Find all uses',
  rename: 'Rename symbol',
  noDefinition: 'No definition found.',
  noUses: 'No uses found.',
  uses: (name: string): string => `Uses of ${name}`,
  usesOf: 'Uses',
  use: (cell: string, line: number): string => `${cell}, line ${line}`,
  definitionIn: (path: string): string => `Definition in ${path}`,
  readOnly: 'Read only. Cellar edits the cells of this notebook.',
  renameTitle: (name: string): string => `Rename ${name}`,
  renameHint: 'Changes every cell that uses this variable. You can undo it in one step.',
  newName: 'New name',
  renameGo: 'Rename',
  renaming: 'Renaming…',
  renamed: (name: string, cells: number): string =>
    cells === 1 ? `Renamed to ${name} in one cell` : `Renamed to ${name} in ${cells} cells`,
  renameChanged: 'A cell was changed in the meantime. Try again.',
  unreachable: 'The server did not answer. Try again.',
  notFormatted: (cell: string, why: string): string => `${cell} was not formatted: ${why}`,
  notFormattedMore: (cells: number): string =>
    `${cells} cells were not formatted because they are not valid Python.`,
  formattedAlready: 'Already formatted.',
  starting: 'Starting Python completion…',
  off: 'Python completion is off',
  fromRun: 'last run',
} as const;
