/** The section of the Environment panel with the environment variables that cells see. */

import './variables.css';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { MASKED } from '../../../src-shared/wire/notebookState.ts';
import { RestError } from '../../live/rest.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { toast } from '../../ui/Toast.tsx';
import { EDITING_WORDS } from '../../words/editing.ts';
import { VARIABLE_WORDS } from '../../words/variables.ts';
import { VariableDialog } from './VariableDialog.tsx';

const NONE: Readonly<Record<string, string>> = {};

/** The environment variables that cells see: where each comes from, and buttons to edit the notebook's own. */
export function VariablesSection() {
  const session = useSession();
  const live = useView((view) => view.link.kind === 'live');
  const env = useView((view) => view.model.meta?.env ?? NONE);
  const sources = useView((view) => view.model.meta?.env_sources ?? NONE);
  const [editing, setEditing] = useState<{ readonly name: string | null } | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(env);
  latest.current = env;
  const names = Object.keys(env).sort((a, b) => (a < b ? -1 : 1));
  const isOwn = (name: string): boolean => (sources[name] ?? 'manual') === 'manual';
  const without = (name: string | null) =>
    Object.fromEntries(Object.entries(env).filter(([key]) => key !== name));
  const set = async (after: Readonly<Record<string, string>>): Promise<string | null> => {
    try {
      await session.variables.set(after);
      return null;
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      return error.message;
    }
  };
  const remove = async (name: string): Promise<void> => {
    const value = env[name] ?? '';
    const failure = await set(without(name));
    setProblem(failure);
    if (failure !== null) return;
    const back = () => void set({ ...latest.current, [name]: value }).then(setProblem);
    // This window does not know a secret's value, so it cannot restore it.
    const undo = value === MASKED ? {} : { action: { label: EDITING_WORDS.undo, run: back } };
    toast(VARIABLE_WORDS.removed(name), undo);
  };
  return (
    <section className="panel-section env" aria-label={VARIABLE_WORDS.title}>
      <h3>{VARIABLE_WORDS.title}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {names.length === 0 ? <p className="panel-quiet">{VARIABLE_WORDS.none}</p> : null}
      <ul className="plain-list">
        {names.map((name) => (
          <VariableRow
            key={name}
            name={name}
            value={env[name] ?? ''}
            source={isOwn(name) ? null : (sources[name] ?? null)}
            disabled={!live}
            onEdit={() => setEditing({ name })}
            onRemove={() => (env[name] === MASKED ? setRemoving(name) : void remove(name))}
          />
        ))}
      </ul>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setEditing({ name: null })} disabled={!live}>
        {VARIABLE_WORDS.add}
      </Button>
      {removing === null ? null : (
        <FormDialog
          open
          danger
          onClose={() => setRemoving(null)}
          title={VARIABLE_WORDS.removeTitle(removing)}
          go={VARIABLE_WORDS.removeNow}
          going={VARIABLE_WORDS.removeNow}
          busy={false}
          onSubmit={() => {
            setRemoving(null);
            void remove(removing);
          }}
        >
          <p>{VARIABLE_WORDS.removeSecret}</p>
        </FormDialog>
      )}
      {editing === null ? null : (
        <VariableDialog
          name={editing.name}
          value={editing.name === null ? '' : (env[editing.name] ?? '')}
          isFetched={editing.name !== null && !isOwn(editing.name)}
          taken={names.filter((name) => name !== editing.name)}
          onClose={() => setEditing(null)}
          onSave={({ name, value }) => set({ ...without(editing.name), [name]: value })}
        />
      )}
    </section>
  );
}

function VariableRow(props: {
  readonly name: string;
  readonly value: string;
  /** Where the value comes from; null if it was entered here. */
  readonly source: string | null;
  readonly disabled: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { name, value, source, disabled, onEdit, onRemove } = props;
  const isHidden = value === MASKED;
  return (
    <li className="env-row" data-variable={name} data-source={source ?? 'manual'}>
      <code className="env-name" title={name}>
        {name}
      </code>
      <span className="env-value">
        {isHidden || value === '' ? (
          <em>{isHidden ? VARIABLE_WORDS.hidden : VARIABLE_WORDS.empty}</em>
        ) : (
          <code title={value}>
            <bdi>{value}</bdi>
          </code>
        )}
        {source === null ? '' : ` · ${VARIABLE_WORDS.from[source] ?? source}`}
      </span>
      <span className="env-acts">
        <IconButton label={VARIABLE_WORDS.edit(name)} onClick={onEdit} disabled={disabled}>
          <Pencil aria-hidden="true" />
        </IconButton>
        {source === null ? (
          <IconButton label={VARIABLE_WORDS.remove(name)} onClick={onRemove} disabled={disabled}>
            <Trash2 aria-hidden="true" />
          </IconButton>
        ) : null}
      </span>
    </li>
  );
}
