import { tableOf } from '../../../src-shared/notebook/annotations.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/** Reports a `@table` whose name the cell assigns: the assignment takes precedence. */
export const checkTables: NotebookCheck = ({ analysis, entry, source }) => {
  if (analysis.annotations.tables.length === 0) return NO_DIAGNOSTICS;
  if (!LANGUAGES[entry.language].runsCode) return NO_DIAGNOSTICS;
  return readDirectives(source).flatMap(({ key, argument, line }) => {
    const name = key === 'table' ? tableOf(argument)?.name : undefined;
    if (name === undefined || !analysis.defines.includes(name)) return NO_DIAGNOSTICS;
    const words = `The cell assigns "${name}", which overrides the table of that name.`;
    return [diagnose('table_shadows_define', words, line, name)];
  });
};
