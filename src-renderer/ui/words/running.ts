import { listText } from '../strings.ts';

/** Words of how a notebook's cells run. */
export const RUNNING_WORDS = {
  title: 'Running',
  parallel: 'Cells at the same time',
  parallelHint:
    'Cells that do not read each other may work at the same time. Results are the same; cells that speak to each other by files need an @after.',
  asServer: (server: number): string => `As the server says (${RUNNING_WORDS.number(server)})`,
  notRun: (name: string): string =>
    `${name} was not run: the text you see in it is not the saved one. Its note says what to do.`,
  /** Runs that waited and will not begin. */
  dropped: (names: readonly string[], message: string): string => `${listText(names)}: ${message}`,
  theNotebook: 'The run of all cells',
  number: (cells: number): string => (cells === 1 ? 'one by one' : `up to ${cells}`),
} as const;
