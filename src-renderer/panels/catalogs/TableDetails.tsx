/** The columns and snapshots of an Iceberg table, in the Data panel. */

import type { TableSnapshot } from '../../../src-shared/wire/routes/tableCatalogs.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { CATALOG_WORDS as W } from '../../words/catalogs.ts';
import { whenText } from '../../words/workbench.ts';
import { RowActions } from '../data/RowActions.tsx';
import { LoadedAnswer } from './LoadedAnswer.tsx';

interface TablePlace {
  readonly catalog: string;
  readonly namespace: string;
  readonly table: string;
}

/** The columns of a table and its snapshots, newest first. */
export function TableDetails({ at, mark }: { readonly at: TablePlace; readonly mark: string }) {
  const { catalog, namespace, table } = at;
  const answer = useAnswer(
    'describeTable',
    { params: { catalog }, query: { namespace, table } },
    { subject: `${catalog} ${namespace} ${table}`, key: mark },
  );
  return (
    <LoadedAnswer answer={answer}>
      {({ columns, snapshots, current_snapshot_id: current, snapshot_count: count }) => (
        <div className="catalog-details">
          <h4>{W.columns}</h4>
          <ul className="plain-list schema-columns" aria-label={`${W.columns}: ${table}`}>
            {columns.map((column) => (
              <li key={column.name}>
                <code>{column.name}</code>
                <span className="schema-type" title={column.type}>
                  {column.type}
                  {column.required ? ` · ${W.required}` : ''}
                </span>
              </li>
            ))}
          </ul>
          <h4>{W.snapshots}</h4>
          {snapshots.length === 0 ? (
            <p className="panel-quiet">{W.noSnapshots}</p>
          ) : (
            <ol className="plain-list snapshots" aria-label={`${W.snapshots}: ${table}`}>
              {snapshots.map((snapshot) => (
                <SnapshotRow
                  key={snapshot.id}
                  at={at}
                  snapshot={snapshot}
                  isCurrent={snapshot.id === current}
                />
              ))}
            </ol>
          )}
          {count > snapshots.length ? (
            <p className="panel-quiet">{W.moreSnapshots(count - snapshots.length)}</p>
          ) : null}
        </div>
      )}
    </LoadedAnswer>
  );
}

function SnapshotRow(props: {
  readonly at: TablePlace;
  readonly snapshot: TableSnapshot;
  readonly isCurrent: boolean;
}) {
  const { at, snapshot, isCurrent } = props;
  const { id, operation, added_rows: added, deleted_rows: deleted, total_rows: total } = snapshot;
  const what = operation === null ? W.otherOperation : (W.operations[operation] ?? W.otherOperation);
  return (
    <li className={isCurrent ? 'snapshot snapshot-current' : 'snapshot'} data-snapshot={id}>
      <div className="snapshot-facts">
        <time dateTime={snapshot.at} title={snapshot.at}>
          {whenText(Date.parse(snapshot.at), Date.now())}
        </time>
        <span>
          {isCurrent ? <span className="snapshot-badge">{W.current}</span> : null}
          <span className="snapshot-what">
            {[what, W.rows(added, deleted, total)].filter((part) => part !== '').join(' · ')}
          </span>
        </span>
        <code className="snapshot-id">{id}</code>
      </div>
      <span className="snapshot-acts">
        <RowActions subject={{ of: 'catalog', ...at, snapshotId: id }} shows />
      </span>
    </li>
  );
}
