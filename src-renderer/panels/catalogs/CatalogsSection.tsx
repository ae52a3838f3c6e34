/** The section of the Data panel that lists the Iceberg catalogs known to the server. */

import './catalogs.css';
import { Pencil, Plus, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { OfferedCatalog } from '../../../src-shared/wire/routes/tableCatalogs.ts';
import { callRoute, RestError } from '../../live/rest.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useView } from '../../notebook/context.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { CATALOG_WORDS as W } from '../../words/catalogs.ts';
import { CatalogDialog } from './CatalogDialog.tsx';
import { CatalogTree } from './CatalogTree.tsx';
import { kindOf } from './catalogDraft.ts';

const NONE: readonly OfferedCatalog[] = [];

/** The catalogs of Iceberg tables that the server knows, and buttons to attach, browse and remove them. */
export function CatalogsSection() {
  const live = useView((view) => view.link.kind === 'live');
  const [editing, setEditing] = useState<{ readonly catalog: OfferedCatalog | null } | null>(null);
  const removing = useTask();
  const answer = useAnswer('listTableCatalogs', live ? {} : null, { subject: 'catalogs', key: '' });
  const catalogs = answer.value?.catalogs ?? NONE;
  const save = async (
    catalog: string,
    properties: Readonly<Record<string, string | null>>,
  ): Promise<string | null> => {
    try {
      await callRoute('attachTableCatalog', { params: { catalog }, body: { properties: { ...properties } } });
      answer.again();
      return null;
    } catch (error) {
      if (error instanceof RestError) return error.message;
      throw error;
    }
  };
  const remove = (catalog: string): void =>
    removing.run(async () => {
      await callRoute('detachTableCatalog', { params: { catalog } });
      answer.again();
    });
  return (
    <section className="panel-section catalogs" aria-label={W.title}>
      <h3>{W.title}</h3>
      {answer.problem === null ? null : (
        <Notice tone="error" actions={<Button onClick={answer.again}>{W.retry}</Button>}>
          {answer.problem}
        </Notice>
      )}
      {removing.problem === null ? null : <Notice tone="error">{removing.problem}</Notice>}
      {answer.value !== null && catalogs.length === 0 ? <p className="panel-quiet">{W.none}</p> : null}
      <ul className="plain-list">
        {catalogs.map((catalog) => (
          <CatalogRow
            key={catalog.name}
            catalog={catalog}
            onEdit={() => setEditing({ catalog })}
            onRemove={() => remove(catalog.name)}
          />
        ))}
      </ul>
      <Button
        icon={<Plus aria-hidden="true" />}
        onClick={() => setEditing({ catalog: null })}
        disabled={answer.value === null}
      >
        {W.attach}
      </Button>
      {editing === null ? null : (
        <CatalogDialog
          catalog={editing.catalog}
          taken={editing.catalog === null ? catalogs.map(({ name }) => name) : []}
          onClose={() => setEditing(null)}
          onSave={(name, properties) => save(editing.catalog?.name ?? name, properties)}
        />
      )}
    </section>
  );
}

function CatalogRow(props: {
  readonly catalog: OfferedCatalog;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { catalog, onEdit, onRemove } = props;
  const { name, from } = catalog;
  const [open, setOpen] = useState(false);
  // The tree below belongs to one configuration of the catalog and is loaded again when that changes.
  const [times, setTimes] = useState(0);
  const kind = kindOf(catalog);
  const kindText = kind === null ? (catalog.properties['type'] ?? '') : W.kinds[kind];
  return (
    <li className="catalog" data-catalog={name} data-from={from}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <code>{name}</code>
          <span className="catalog-kind">
            {from === 'settings' ? `${kindText} · ${W.ofSettings}` : kindText}
          </span>
        </summary>
        {open ? <CatalogTree catalog={name} mark={`${times} ${JSON.stringify(catalog)}`} /> : null}
      </details>
      <span className="catalog-acts">
        <IconButton label={W.refresh(name)} onClick={() => setTimes(times + 1)} disabled={!open}>
          <RotateCw aria-hidden="true" />
        </IconButton>
        {from === 'settings' ? null : (
          <>
            <IconButton label={W.edit(name)} onClick={onEdit} disabled={kind === null}>
              <Pencil aria-hidden="true" />
            </IconButton>
            <IconButton label={W.remove(name)} onClick={onRemove}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          </>
        )}
      </span>
    </li>
  );
}
