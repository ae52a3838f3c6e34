/** Dialog that adds or edits an environment variable of the notebook. */

import { useState } from 'react';
import { MASKED } from '../../../src-shared/wire/notebookState.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { VARIABLE_WORDS } from '../../words/variables.ts';

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Adds or changes a variable. A hidden value stays unchanged unless a new one is typed. */
export function VariableDialog(props: {
  /** Null for a new variable. */
  readonly name: string | null;
  readonly value: string;
  readonly isFetched: boolean;
  /** Names of other variables. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  /** Returns the error message, or null on success. */
  readonly onSave: (variable: Variable) => Promise<string | null>;
}) {
  const { isFetched, taken, onClose, onSave } = props;
  const isHidden = props.value === MASKED;
  const [name, setName] = useState(props.name ?? '');
  const [value, setValue] = useState(isHidden ? '' : props.value);
  // Errors are shown only after the first attempt to submit the form.
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const problem = problemOf(name, taken);
  const save = async (): Promise<void> => {
    setIsSubmitted(true);
    if (problem !== null) return;
    setBusy(true);
    const words = await onSave({ name, value: isHidden && value === '' ? MASKED : value });
    setBusy(false);
    if (words === null) onClose();
    else setRefused(words);
  };
  const hint = isHidden && !isFetched ? VARIABLE_WORDS.keeps : isFetched ? VARIABLE_WORDS.overrides : null;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={props.name === null ? VARIABLE_WORDS.addTitle : VARIABLE_WORDS.editTitle(props.name)}
      go={VARIABLE_WORDS.save}
      going={VARIABLE_WORDS.saving}
      busy={busy}
      onSubmit={() => void save()}
    >
      {refused === null ? null : <Notice tone="error">{refused}</Notice>}
      {props.name === null ? (
        <TextField
          label={VARIABLE_WORDS.name}
          value={name}
          onChange={setName}
          hint={VARIABLE_WORDS.nameHint}
          problem={isSubmitted ? problem : null}
          mono
          spellCheck={false}
          autoComplete="off"
        />
      ) : null}
      <TextField
        label={isHidden ? VARIABLE_WORDS.newValue : VARIABLE_WORDS.value}
        value={value}
        onChange={setValue}
        type={isHidden || looksSecret(name) ? 'password' : 'text'}
        {...(hint === null ? {} : { hint })}
        mono
        spellCheck={false}
        autoComplete="off"
      />
    </FormDialog>
  );
}

/**
 * The rule by which the server recognizes secrets (docs/spec/notebook-file.md, 3.1): for such a name, the value is
 * hidden while it is typed.
 */
function looksSecret(name: string): boolean {
  return /KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL/i.test(name);
}

function problemOf(name: string, usedNames: readonly string[]): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return VARIABLE_WORDS.badName;
  return usedNames.includes(name) ? VARIABLE_WORDS.takenName(name) : null;
}
