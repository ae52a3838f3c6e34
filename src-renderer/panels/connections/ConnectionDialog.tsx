/** Dialog that adds a SQL connection to the notebook, or edits one. */

import { useState } from 'react';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import { CONNECTION_FIELDS, CONNECTION_WORDS, DRIVERS } from '../../words/connections.ts';
import {
  type Connection,
  type ConnectionDraft,
  connectionOf,
  draftOf,
  NEW_DRAFT,
  problemsOf,
} from './connectionDraft.ts';

/** Adds a connection, or edits one. */
export function ConnectionDialog(props: {
  readonly connection: Connection | null;
  /** Names of other connections. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  /** Returns the error message, or null on success. */
  readonly onSave: (connection: Connection) => Promise<string | null>;
}) {
  const { connection, taken, onClose, onSave } = props;
  const [draft, setDraft] = useState<ConnectionDraft>(connection === null ? NEW_DRAFT : draftOf(connection));
  // Errors are shown only after the first attempt to submit the form.
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const problems = problemsOf(draft, taken);
  const problemOf = (key: string): string | null => (isSubmitted ? (problems[key] ?? null) : null);
  const set = (change: Partial<ConnectionDraft>): void => setDraft({ ...draft, ...change });
  const save = async (): Promise<void> => {
    setIsSubmitted(true);
    if (Object.keys(problems).length > 0) return;
    setBusy(true);
    const words = await onSave(connectionOf(draft, connection));
    setBusy(false);
    if (words === null) onClose();
    else setRefused(words);
  };
  const plain = { spellCheck: false, autoComplete: 'off' } as const;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={connection === null ? CONNECTION_WORDS.addTitle : CONNECTION_WORDS.editTitle(draft.name)}
      go={CONNECTION_WORDS.save}
      going={CONNECTION_WORDS.saving}
      busy={busy}
      onSubmit={() => void save()}
    >
      {refused === null ? null : <Notice tone="error">{refused}</Notice>}
      <TextField
        {...plain}
        label={CONNECTION_WORDS.name}
        hint={CONNECTION_WORDS.nameHint}
        value={draft.name}
        onChange={(name) => set({ name })}
        problem={problemOf('name')}
        mono
      />
      <Select
        label={CONNECTION_WORDS.driver}
        value={draft.driver}
        options={DRIVERS.map((driver) => ({ value: driver, label: CONNECTION_WORDS.drivers[driver] }))}
        onChange={(driver) => set({ driver })}
      />
      {CONNECTION_FIELDS[draft.driver].map(({ key, label, hint, secret }) => (
        <TextField
          {...plain}
          key={key}
          label={label}
          {...(secret === true ? { hint: CONNECTION_WORDS.secretHint } : hint === undefined ? {} : { hint })}
          value={draft.values[key] ?? ''}
          onChange={(value) => set({ values: { ...draft.values, [key]: value } })}
          problem={problemOf(key)}
          mono
        />
      ))}
      <TextField
        {...plain}
        label={CONNECTION_WORDS.credential}
        hint={CONNECTION_WORDS.credentialHint}
        value={draft.credential}
        onChange={(credential) => set({ credential })}
      />
    </FormDialog>
  );
}
