/** The section of the Data panel that lists the mounts, the external data of cells. */

import './mounts.css';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Mount } from '../../../src-shared/wire/cell.ts';
import type { ListedMount } from '../../../src-shared/wire/routes/extensions.ts';
import { callRoute, RestError } from '../../live/rest.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { MOUNT_WORDS } from '../../words/mounts.ts';
import { RowActions } from '../data/RowActions.tsx';
import { MountDialog } from './MountDialog.tsx';

const NONE: readonly Mount[] = [];

/** The external data of cells and its state; the notebook's own mounts are edited here. */
export function MountsSection() {
  const session = useSession();
  const sessionId = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  // Reloaded when a cell's status changes, because external data may have changed then.
  const shape = useView(({ model }) =>
    model.order.map((id) => `${id} ${model.cells[id]?.cell.status}`).join(' '),
  );
  const mounts = useView((view) => view.model.meta?.mounts ?? NONE);
  const [editing, setEditing] = useState<{ readonly mount: Mount | null } | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const call = live ? { params: { sid: sessionId } } : null;
  const { value, problem, again } = useAnswer('listMounts', call, {
    subject: sessionId,
    key: `${shape} ${JSON.stringify(mounts)}`,
  });
  const own = value?.notebook ?? NONE;
  const change = async (after: readonly Mount[]): Promise<boolean> => {
    const isDone = await session.shape.setMounts(own, after);
    if (isDone) again();
    return isDone;
  };
  const save = async (mount: Mount): Promise<string | null> => {
    const before = editing?.mount ?? null;
    const isDone = await change(
      before === null ? [...own, mount] : own.map((one) => (one.name === before.name ? mount : one)),
    );
    if (isDone) setEditing(null);
    return isDone ? null : session.store.getState().notice;
  };
  const keepCredential = async (name: string): Promise<void> => {
    try {
      await callRoute('keepMountCredential', { params: { sid: sessionId, name } });
      setRefused(null);
      again();
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      setRefused(error.message);
    }
  };
  const edited = editing?.mount?.name;
  return (
    <section className="panel-section mounts" aria-label={MOUNT_WORDS.title}>
      <h3>{MOUNT_WORDS.title}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {refused === null ? null : <Notice tone="error">{refused}</Notice>}
      {value !== null && value.mounts.length === 0 ? <p className="panel-quiet">{MOUNT_WORDS.none}</p> : null}
      <ul className="plain-list">
        {(value?.mounts ?? []).map((row) => (
          <MountRow
            key={`${row.kind} ${row.name} ${row.uri}`}
            row={row}
            onEdit={() => setEditing({ mount: own.find(({ name }) => name === row.name) ?? null })}
            onRemove={() => void change(own.filter(({ name }) => name !== row.name))}
            onKeepCredential={() => void keepCredential(row.name)}
          />
        ))}
      </ul>
      <Button
        icon={<Plus aria-hidden="true" />}
        onClick={() => setEditing({ mount: null })}
        disabled={value === null}
      >
        {MOUNT_WORDS.add}
      </Button>
      {editing === null ? null : (
        <MountDialog
          mount={editing.mount}
          taken={own.map(({ name }) => name).filter((name) => name !== edited)}
          onClose={() => setEditing(null)}
          onSave={save}
        />
      )}
    </section>
  );
}

function MountRow(props: {
  readonly row: ListedMount;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onKeepCredential: () => void;
}) {
  const { row, onEdit, onRemove, onKeepCredential } = props;
  const { name, uri, state, problem, files, bytes, secret_options: secret } = row;
  const isWrong = state === 'missing' || state === 'problem';
  const notes = [
    MOUNT_WORDS.kind[row.kind],
    MOUNT_WORDS.state[state],
    state === 'ok' && files !== null && bytes !== null ? MOUNT_WORDS.size(files, bytes) : '',
    row.scope === 'cell' ? MOUNT_WORDS.byCells(row.cell_ids.length) : '',
  ].filter((note) => note !== '');
  return (
    <li className="mount" data-mount={name} data-state={state}>
      <span className="mount-name">
        <code>{name}</code>
        <span className={isWrong ? 'mount-note mount-wrong' : 'mount-note'}>{notes.join(' · ')}</span>
      </span>
      {row.scope === 'notebook' ? (
        <span className="mount-acts">
          <RowActions subject={{ of: 'mount', name, uri }} shows={uri.startsWith('file:') && !isWrong} />
          <IconButton label={MOUNT_WORDS.edit(name)} onClick={onEdit}>
            <Pencil aria-hidden="true" />
          </IconButton>
          <IconButton label={MOUNT_WORDS.remove(name)} onClick={onRemove}>
            <Trash2 aria-hidden="true" />
          </IconButton>
        </span>
      ) : null}
      <span className="mount-place" title={uri}>
        <bdi>{uri}</bdi>
      </span>
      {secret.length === 0 ? null : (
        <div className="mount-problem">
          <p className="mount-wrong">{MOUNT_WORDS.secretOptions(secret)}</p>
          {row.scope === 'notebook' ? (
            <Button onClick={onKeepCredential}>{MOUNT_WORDS.keepCredential}</Button>
          ) : null}
        </div>
      )}
      {isWrong && problem !== null ? <p className="mount-problem mount-wrong">{problem}</p> : null}
    </li>
  );
}
