import { isIdentifier } from '../../../src-shared/notebook/directives.ts';
import { placeholderNames, tableNamesOf } from '../../sql/text/placeholders.ts';
import { type CellReader, NOTHING_READ } from '../cellReader.ts';

/**
 * The reader of SQL cells, which read their placeholders and define their result
 * (docs/spec/analysis-and-graph.md, 1.2).
 */
export const sqlReader: CellReader = {
  read: (source, { name }) => ({
    ...NOTHING_READ,
    defines: [name !== null && isIdentifier(name) ? name : 'result'],
    references: placeholderNames(source),
    tableNames: tableNamesOf(source),
  }),
};
