import { listText } from './strings.ts';

/** UI texts of how a notebook's cells run. */
export const RUNNING_WORDS = {
  title: 'Running',
  parallel: 'Cells in parallel',
  parallelHint:
    'Cells that do not depend on each other can run in parallel, with the same results. Cells that exchange files need # @after.',
  asServer: (server: number): string => `Server default (${RUNNING_WORDS.number(server)})`,
  notRun: (name: string): string =>
    `${name} was not run because its text is not saved. See the note on the cell.`,
  /** Queued runs that will not start. */
  dropped: (names: readonly string[], message: string): string => `${listText(names)}: ${message}`,
  theNotebook: 'The run of all cells',
  number: (cells: number): string => (cells === 1 ? 'one at a time' : `up to ${cells}`),
} as const;
