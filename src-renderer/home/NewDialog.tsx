/** Dialog that creates a notebook. */

import { useEffect, useState } from 'react';
import { callRoute } from '../live/rest.ts';
import { useTask } from '../live/useTask.ts';
import { shellBridge } from '../state/shellBridge.ts';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Select } from '../ui/Select.tsx';
import { HOME_WORDS } from '../words/home.ts';
import { folderIn, nameProblem } from './newNotebook.ts';
import type { Config } from './useHome.ts';

/** Asks for the name, the folder and the Python version of a new notebook. */
export function NewDialog(props: {
  open: boolean;
  config: Config | null;
  onClose: () => void;
  onCreated: (sessionId: string, path: string) => void;
}) {
  const { open, config, onClose, onCreated } = props;
  const shell = shellBridge();
  const [name, setName] = useState('');
  const [typedParent, setTypedParent] = useState<string | null>(null);
  const [typedPython, setTypedPython] = useState<string | null>(null);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { busy, problem, run, clear } = useTask();
  useEffect(() => {
    if (open) return;
    setName('');
    setIsSubmitted(false);
    clear();
  }, [open, clear]);
  const parent = typedParent ?? config?.default_parent_path ?? '';
  const python = typedPython ?? config?.default_python_version ?? '';
  const pythons = config === null || config.python_selection_fixed ? [] : config.available_python_versions;
  const badName = nameProblem(name);
  const badParent = parent.trim() === '' ? HOME_WORDS.parentEmpty : null;
  const submit = (): void => {
    setIsSubmitted(true);
    if (badName !== null || badParent !== null) return;
    run(async (signal) => {
      const body = {
        parent_path: parent.trim(),
        name: name.trim(),
        starter_cell: true,
        ...(pythons.length > 1 ? { python_version: python } : {}),
      };
      const state = await callRoute('createNotebook', { body }, { signal });
      onCreated(state.session_id, state.path);
    });
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={HOME_WORDS.createTitle}
      go={HOME_WORDS.createGo}
      going={HOME_WORDS.creating}
      busy={busy}
      onSubmit={submit}
    >
      <TextField
        label={HOME_WORDS.createName}
        value={name}
        maxLength={255}
        placeholder={HOME_WORDS.createNamePlaceholder}
        autoComplete="off"
        // An empty name is an error only after an attempt to submit.
        problem={isSubmitted || name.trim() !== '' ? badName : null}
        onChange={setName}
      />
      <TextField
        label={HOME_WORDS.createParent}
        value={parent}
        mono
        spellCheck={false}
        autoComplete="off"
        problem={isSubmitted ? badParent : null}
        hint={
          badName === null && badParent === null ? (
            <bdi>{HOME_WORDS.createWhere(folderIn(parent.trim(), name.trim()))}</bdi>
          ) : undefined
        }
        after={
          shell === null ? null : (
            <Button
              onClick={() => {
                void shell.chooseNewNotebook().then((folder) => {
                  if (folder === null) return;
                  setTypedParent(folder.parent);
                  setName(folder.name);
                });
              }}
            >
              {HOME_WORDS.choose}
            </Button>
          )
        }
        onChange={setTypedParent}
      />
      {pythons.length > 1 ? (
        <Select
          label={HOME_WORDS.createPython}
          value={python}
          options={pythons.map((version) => ({ value: version, label: version }))}
          onChange={setTypedPython}
        />
      ) : null}
      {/* At the end of the form, near the button that was clicked. */}
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
    </FormDialog>
  );
}
