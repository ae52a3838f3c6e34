/** The section of the Data panel that lists the SQL connections of the notebook. */

import './connections.css';
import { Pencil, Plug, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { RestError } from '../../live/rest.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { CONNECTION_WORDS } from '../../words/connections.ts';
import { durationText } from '../../words/strings.ts';
import { ConnectionDialog } from './ConnectionDialog.tsx';
import { type Connection, driverOf, nameOf } from './connectionDraft.ts';
import { SchemaTree } from './SchemaTree.tsx';

const NONE: readonly Connection[] = [];
const NO_FAULTS: readonly { readonly name: string; readonly error: string }[] = [];

/** The databases that SQL cells query, and buttons to add, test, browse and edit them. */
export function ConnectionsSection() {
  const { connections } = useSession();
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const declaredConnections = useView((view) => view.model.meta?.connections ?? NONE);
  const malformed = useView((view) => view.model.meta?.malformed_connections ?? NO_FAULTS);
  const [editing, setEditing] = useState<{ readonly connection: Connection | null } | null>(null);
  const removing = useTask();
  const { value, problem, again } = useAnswer('listConnections', live ? { params: { sid } } : null, {
    subject: sid,
    key: JSON.stringify(declaredConnections),
  });
  const own: readonly Connection[] = value?.connections ?? declaredConnections;
  const replace = async (after: readonly Connection[]): Promise<void> => {
    await connections.set(after);
    again();
  };
  const save = async (connection: Connection): Promise<string | null> => {
    const before = editing?.connection ?? null;
    const after = own.map((one) => (before !== null && nameOf(one) === nameOf(before) ? connection : one));
    try {
      await replace(before === null ? [...own, connection] : after);
      return null;
    } catch (error) {
      if (error instanceof RestError) return error.message;
      throw error;
    }
  };
  const edited = editing?.connection ?? null;
  const others = own.map(nameOf).filter((name) => edited === null || name !== nameOf(edited));
  return (
    <section className="panel-section connections" aria-label={CONNECTION_WORDS.title}>
      <h3>{CONNECTION_WORDS.title}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {removing.problem === null ? null : <Notice tone="error">{removing.problem}</Notice>}
      {malformed.map(({ name, error }) => (
        <Notice key={name} tone="warn">{`${CONNECTION_WORDS.malformed(name)}: ${error}`}</Notice>
      ))}
      {own.length === 0 ? <p className="panel-quiet">{CONNECTION_WORDS.none}</p> : null}
      <ul className="plain-list">
        {own.map((connection) => (
          <ConnectionRow
            key={nameOf(connection)}
            sid={sid}
            connection={connection}
            onEdit={() => setEditing({ connection })}
            onRemove={() =>
              removing.run(() => replace(own.filter((one) => nameOf(one) !== nameOf(connection))))
            }
          />
        ))}
      </ul>
      <Button
        icon={<Plus aria-hidden="true" />}
        onClick={() => setEditing({ connection: null })}
        disabled={value === null}
      >
        {CONNECTION_WORDS.add}
      </Button>
      {editing === null ? null : (
        <ConnectionDialog
          connection={editing.connection}
          taken={others}
          onClose={() => setEditing(null)}
          onSave={save}
        />
      )}
    </section>
  );
}

function ConnectionRow(props: {
  readonly sid: string;
  readonly connection: Connection;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { sid, connection, onEdit, onRemove } = props;
  const name = nameOf(connection);
  const driver = driverOf(connection);
  const { connections } = useSession();
  const trying = useTask();
  const [trial, setTrial] = useState<{ readonly problem: string | null; readonly ms: number } | null>(null);
  const [open, setOpen] = useState(false);
  const test = (): void => {
    setTrial(null);
    trying.run(async () => {
      const { problem, duration_ms: ms } = await connections.test(name);
      setTrial({ problem, ms });
    });
  };
  return (
    <li className="connection" data-connection={name}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <code>{name}</code>
          <span className="connection-driver">
            {driver === null ? String(connection['driver'] ?? '') : CONNECTION_WORDS.drivers[driver]}
          </span>
        </summary>
        {open ? <SchemaTree sid={sid} name={name} mark={JSON.stringify(connection)} /> : null}
      </details>
      <span className="connection-acts">
        <IconButton label={CONNECTION_WORDS.test(name)} onClick={test} disabled={trying.busy}>
          <Plug aria-hidden="true" />
        </IconButton>
        <IconButton label={CONNECTION_WORDS.edit(name)} onClick={onEdit} disabled={driver === null}>
          <Pencil aria-hidden="true" />
        </IconButton>
        <IconButton label={CONNECTION_WORDS.remove(name)} onClick={onRemove}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </span>
      <div className="connection-said" aria-live="polite">
        {trying.busy ? <Spinner label={CONNECTION_WORDS.testing} /> : null}
        {trying.problem === null ? null : <Notice tone="error">{trying.problem}</Notice>}
        {trial === null ? null : trial.problem === null ? (
          <p className="panel-quiet">{CONNECTION_WORDS.works(durationText(trial.ms))}</p>
        ) : (
          <Notice tone="error">{trial.problem}</Notice>
        )}
      </div>
    </li>
  );
}
