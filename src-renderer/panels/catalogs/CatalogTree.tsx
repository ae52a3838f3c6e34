import { type ReactNode, useState } from 'react';
import { useAnswer } from '../../live/useAnswer.ts';
import { CATALOG_WORDS as W } from '../../words/catalogs.ts';
import type { DataSubject } from '../data/dataSubject.ts';
import { RowActions } from '../data/RowActions.tsx';
import { LoadedAnswer } from './LoadedAnswer.tsx';
import { TableDetails } from './TableDetails.tsx';

/**
 * Tree in the Data panel: the namespaces of an Iceberg catalog, their tables, and the details of each table. Every
 * level is loaded when it is opened.
 * @param mark changes when the tree has to be loaded again
 */
export function CatalogTree({ catalog, mark }: { readonly catalog: string; readonly mark: string }) {
  const answer = useAnswer('tableNamespaces', { params: { catalog } }, { subject: catalog, key: mark });
  return (
    <LoadedAnswer answer={answer}>
      {({ namespaces }) =>
        namespaces.length === 0 ? (
          <p className="panel-quiet">{W.noNamespaces}</p>
        ) : (
          <ul className="plain-list catalog-level" aria-label={W.namespaces(catalog)}>
            {namespaces.map((namespace) => (
              <li key={namespace}>
                <Opened title={namespace}>
                  {() => <Tables catalog={catalog} namespace={namespace} mark={mark} />}
                </Opened>
              </li>
            ))}
          </ul>
        )
      }
    </LoadedAnswer>
  );
}

function Tables(props: { readonly catalog: string; readonly namespace: string; readonly mark: string }) {
  const { catalog, namespace, mark } = props;
  const answer = useAnswer(
    'namespaceTables',
    { params: { catalog }, query: { namespace } },
    { subject: `${catalog} ${namespace}`, key: mark },
  );
  return (
    <LoadedAnswer answer={answer}>
      {({ tables }) =>
        tables.length === 0 ? (
          <p className="panel-quiet">{W.noTables}</p>
        ) : (
          <ul className="plain-list catalog-level" aria-label={W.tables(namespace)}>
            {tables.map((table) => {
              const subject: DataSubject = { of: 'catalog', catalog, namespace, table, snapshotId: null };
              return (
                <li className="catalog-table" key={table}>
                  <span className="catalog-acts">
                    <RowActions subject={subject} shows />
                  </span>
                  <Opened title={table}>
                    {() => <TableDetails at={{ catalog, namespace, table }} mark={mark} />}
                  </Opened>
                </li>
              );
            })}
          </ul>
        )
      }
    </LoadedAnswer>
  );
}

function Opened({ title, children }: { readonly title: string; readonly children: () => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{title}</code>
      </summary>
      {open ? children() : null}
    </details>
  );
}
