/** Dialog that adds or edits a mount (external data that cells read by a name). */

import './mounts.css';
import { useState } from 'react';
import { placeOf } from '../../../src-shared/notebook/mountUri.ts';
import type { Mount } from '../../../src-shared/wire/cell.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { MOUNT_WORDS } from '../../words/mounts.ts';

const NEW: Mount = { name: '', uri: '', mode: 'ro', pin: null, options: {}, credential: null };

/** Adds a mount of the notebook, or edits one; keys that this form does not show are preserved. */
export function MountDialog(props: {
  readonly mount: Mount | null;
  /** Initial values for a new mount. */
  readonly start?: Partial<Mount>;
  readonly note?: string;
  /** Names of other mounts. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  /** Returns the error message, or null on success. After an error, the form keeps its input. */
  readonly onSave: (mount: Mount) => Promise<string | null>;
}) {
  const { mount, start = {}, note, taken, onClose, onSave } = props;
  const [draft, setDraft] = useState<Mount>(mount ?? { ...NEW, ...start });
  // Errors are shown only after the first attempt to submit the form.
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const problems = problemsOf(draft, taken);
  const isGood = problems.name === null && problems.uri === null;
  const set = (change: Partial<Mount>): void => setDraft({ ...draft, ...change });
  const save = (): void => {
    setIsSubmitted(true);
    if (isGood) void onSave({ ...draft, uri: draft.uri.trim() }).then(setRefused);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={mount === null ? MOUNT_WORDS.addTitle : MOUNT_WORDS.editTitle(mount.name)}
      {...(note === undefined ? {} : { description: note })}
      footer={
        <>
          <Button onClick={onClose}>{MOUNT_WORDS.cancel}</Button>
          <Button kind="primary" onClick={save}>
            {MOUNT_WORDS.save}
          </Button>
        </>
      }
    >
      <form
        className="mount-form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          label={MOUNT_WORDS.name}
          value={draft.name}
          onChange={(name) => set({ name })}
          hint={MOUNT_WORDS.nameHint}
          problem={isSubmitted ? problems.name : null}
          mono
          spellCheck={false}
          autoComplete="off"
        />
        <TextField
          label={MOUNT_WORDS.place}
          value={draft.uri}
          onChange={(uri) => set({ uri })}
          hint={MOUNT_WORDS.placeHint}
          problem={isSubmitted ? problems.uri : null}
          mono
          spellCheck={false}
          autoComplete="off"
        />
        <div className="text-field">
          <span className="text-field-label">{MOUNT_WORDS.mode}</span>
          <Segmented
            label={MOUNT_WORDS.mode}
            value={draft.mode}
            options={[
              { value: 'ro', label: MOUNT_WORDS.read },
              { value: 'rw', label: MOUNT_WORDS.write },
            ]}
            onChange={(mode) => set({ mode })}
          />
        </div>
        <TextField
          label={MOUNT_WORDS.credential}
          value={draft.credential ?? ''}
          onChange={(name) => set({ credential: name.trim() === '' ? null : name.trim() })}
          hint={MOUNT_WORDS.credentialHint}
          spellCheck={false}
          autoComplete="off"
        />
        {refused === null ? null : <Notice tone="error">{refused}</Notice>}
        {/* Enter in a field sends the form. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function problemsOf({ name, uri }: Mount, usedNames: readonly string[]) {
  const place = placeOf(uri.trim());
  return {
    name: !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)
      ? MOUNT_WORDS.badName
      : usedNames.includes(name)
        ? MOUNT_WORDS.takenName(name)
        : null,
    uri: uri.trim() === '' ? MOUNT_WORDS.noPlace : place.kind === 'unsupported' ? place.problem : null,
  };
}
