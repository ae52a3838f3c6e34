import type { ConnectionTable } from '../../live/connectionTables.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { CONNECTION_WORDS } from '../../words/connections.ts';
import { RowActions } from '../data/RowActions.tsx';

/** Tree in the Data panel: the tables of a SQL connection with their columns; loaded only when opened. */
export function SchemaTree({ sid, name, mark }: { sid: string; name: string; mark: string }) {
  const { value, problem } = useAnswer(
    'connectionSchema',
    { params: { sid, name } },
    { subject: `${sid} ${name}`, key: mark },
  );
  if (problem !== null) return <Notice tone="error">{problem}</Notice>;
  if (value === null) return <Spinner label={CONNECTION_WORDS.reading} />;
  if (value.tables.length === 0) return <p className="panel-quiet">{CONNECTION_WORDS.noTables}</p>;
  return (
    <ul className="plain-list schema" aria-label={CONNECTION_WORDS.tables(name)}>
      {value.tables.map((table) => (
        <TableRow key={fullName(table)} table={table} connection={name} driver={value.driver} />
      ))}
    </ul>
  );
}

function TableRow(props: {
  readonly table: ConnectionTable;
  readonly connection: string;
  readonly driver: string;
}) {
  const { table, connection, driver } = props;
  return (
    <li className="schema-table">
      <span className="schema-acts">
        <RowActions subject={{ of: 'table', connection, driver, table }} shows={driver !== 'bigquery'} />
      </span>
      <details>
        <summary>
          <code>{fullName(table)}</code>
          <span className="schema-type">{table.columns.length}</span>
        </summary>
        <ul className="plain-list schema-columns">
          {table.columns.map((column) => (
            <li key={column.name}>
              <code>{column.name}</code>
              <span className="schema-type">
                {column.type}
                {column.nullable === false ? ' · not null' : ''}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** The table's name for a query: qualified unless its schema is the default one. */
function fullName({ schema, name }: ConnectionTable): string {
  return schema === null || schema === 'main' || schema === 'public' ? name : `${schema}.${name}`;
}
