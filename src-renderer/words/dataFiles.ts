import { listText } from './strings.ts';

/** UI texts of files dropped on the window or pasted into it. */
export const DATA_FILE_WORDS = {
  dropHere: 'Drop data (CSV, Parquet, Excel, JSON, SQLite), a picture or a folder',
  copied: (names: readonly string[]): string =>
    `${listText(names)} ${names.length === 1 ? 'was' : 'were'} copied into the notebook’s folder.`,
  noData: (name: string): string =>
    `${name} is not a file that a cell can read. Use a CSV, TSV, Parquet, Excel, JSON or SQLite file, or a picture.`,
  empty: (name: string): string => `${name} is empty, so there is nothing to read.`,
  tooLarge: (name: string): string =>
    `${name} is larger than 512 MiB. Leave it where it is, and add a mount to read it from there.`,
  malformed: (name: string, connection: string): string =>
    `${name} needs a connection, and the connection “${connection}” in notebook.toml cannot be read. Repair or remove it first.`,
  largePicture: (name: string): string => `${name} is larger than 32 MiB. Use a smaller picture.`,
  folder: (name: string): string =>
    `${name} is a folder. Leave it where it is, and add a mount to read it from there.`,
  addMount: 'Add mount',
  mountPath: (name: string): string =>
    `The browser does not show where ${name} is. Enter its location. A cell that reads it is added below.`,
  notCopied: (name: string, words: string): string => `${name} was not copied: ${words}`,
  unreadable: 'it cannot be read as a file.',
} as const;
