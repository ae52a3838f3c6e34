/** Dialog that sets the secret manager from which the notebook's secrets are fetched. */

import { useState } from 'react';
import type { SecretPlace } from '../../live/variables.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { MANAGER_WORDS } from '../../words/variables.ts';

const NEW: SecretPlace = { project_id: '', environment: '', path: '', base_url: '' };

/** Sets where secrets come from and fetches them immediately. If that fails, the dialog stays open and shows why. */
export function SecretManagerDialog(props: {
  /** Null if no secret manager is used yet. */
  readonly place: SecretPlace | null;
  readonly onClose: () => void;
  /** Returns the error message, or null on success; a null place stops using the secret manager. */
  readonly onSave: (place: SecretPlace | null) => Promise<string | null>;
}) {
  const { place, onClose, onSave } = props;
  const [draft, setDraft] = useState<SecretPlace>(place ?? NEW);
  // Errors are shown only after the first attempt to submit the form.
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (place: SecretPlace | null): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const words = await onSave(place);
    setBusy(false);
    if (words === null) onClose();
    else setProblem(words);
  };
  const save = (): void => {
    setIsSubmitted(true);
    if (draft.project_id.trim() !== '') void send(draft);
  };
  const field = (key: keyof SecretPlace, words: { label: string; hint: string; placeholder?: string }) => (
    <TextField
      {...words}
      value={draft[key]}
      onChange={(text) => setDraft({ ...draft, [key]: text })}
      mono
      spellCheck={false}
      autoComplete="off"
      {...(key === 'project_id'
        ? { problem: isSubmitted && draft.project_id.trim() === '' ? MANAGER_WORDS.noProject : null }
        : {})}
    />
  );
  return (
    <FormDialog
      open
      onClose={onClose}
      title={MANAGER_WORDS.dialogTitle}
      go={MANAGER_WORDS.test}
      going={MANAGER_WORDS.testing}
      busy={busy}
      onSubmit={save}
    >
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {field('project_id', { label: MANAGER_WORDS.project, hint: MANAGER_WORDS.projectHint })}
      {field('environment', {
        label: MANAGER_WORDS.environment,
        hint: MANAGER_WORDS.environmentHint,
        placeholder: MANAGER_WORDS.defaultEnvironment,
      })}
      {field('path', {
        label: MANAGER_WORDS.path,
        hint: MANAGER_WORDS.pathHint,
        placeholder: MANAGER_WORDS.defaultPath,
      })}
      {field('base_url', { label: MANAGER_WORDS.host, hint: MANAGER_WORDS.hostHint })}
      {place === null ? null : (
        <div>
          <Button onClick={() => void send(null)} disabled={busy}>
            {MANAGER_WORDS.stop}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}
