import { listText } from './strings.ts';

/** Words of data files dropped on the window. */
export const DATA_FILE_WORDS = {
  dropHere: 'Drop a CSV, TSV, Parquet or JSON file to read it in a cell',
  copied: (names: readonly string[]): string =>
    `${listText(names)} ${names.length === 1 ? 'was' : 'were'} copied into the notebook’s folder.`,
  noData: (name: string): string =>
    `${name} is neither data nor a list of packages. Drop a CSV, TSV, Parquet or JSON file.`,
  tooLarge: (name: string): string =>
    `${name} is larger than 512 MiB. Put it into the notebook’s folder yourself and read it by its name.`,
  notCopied: (name: string, words: string): string => `${name} was not copied: ${words}`,
  unreadable: 'it cannot be read as a file.',
} as const;
