import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { CONNECTION_DRIVERS } from '../../notebook/file/connectionBlocks.ts';
import { isReference } from '../../notebook/file/saveRules.ts';
import { NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/** Reports a SQL cell whose connection is not declared in notebook.toml, or cannot be used. */
export const checkConnection: NotebookCheck = ({ analysis, entry, source }, { file }) => {
  const name = analysis.annotations.sql.connection;
  if (!LANGUAGES[entry.language].connects || name === null) return NO_DIAGNOSTICS;
  const line = lineOf(readDirectives(source), 'sql');
  const malformed = file.malformedConnections.find((block) => block.name === name);
  if (malformed !== undefined) {
    const { driver } = malformed.body;
    const isForeign = typeof driver === 'string' && !CONNECTION_DRIVERS.some((name) => name === driver);
    return isForeign
      ? [
          diagnose(
            'connection_driver_unknown',
            `The connection "${name}" has the unknown driver "${driver}". Use ${CONNECTION_DRIVERS.join(', ')}.`,
            line,
            name,
          ),
        ]
      : [
          diagnose(
            'connection_malformed',
            `The connection "${name}" in notebook.toml cannot be used: ${malformed.error}.`,
            line,
            name,
          ),
        ];
  }
  const connection = file.connections.find((block) => block.name === name);
  if (connection === undefined) {
    const words = `notebook.toml declares no connection "${name}".`;
    return [diagnose('sql_connection_unknown', words, line, name)];
  }
  const diagnostics: Diagnostic[] = [];
  for (const [key, value] of Object.entries(connection.auth)) {
    if (isReference(value)) continue;
    const words = `The connection "${name}" has a secret as text in ${key}. Write \${NAME} there, and put the value into a variable.`;
    diagnostics.push(diagnose('connection_auth_literal_secret', words, line, key));
  }
  return diagnostics;
};
