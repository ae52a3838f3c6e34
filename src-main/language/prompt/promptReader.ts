import { type CellReader, NOTHING_READ } from '../cellReader.ts';
import { promptNames } from './template.ts';

/** The reader of prompt cells, which read the values in their template and define the reply. */
export const promptReader: CellReader = {
  read: (source, annotations) => ({ ...NOTHING_READ, ...promptNames(source, annotations) }),
};
