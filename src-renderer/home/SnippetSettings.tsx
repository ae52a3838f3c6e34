/** Settings section that lists the user's snippets, with buttons to add, edit and delete them. */

import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { OwnSnippet, OwnSnippets } from '../../src-shared/wire/routes/snippets.ts';
import { callRoute } from '../live/rest.ts';
import { useAnswer } from '../live/useAnswer.ts';
import { useTask } from '../live/useTask.ts';
import { CELL_LANGUAGES, OFFERED_LANGUAGES } from '../state/cellLanguages.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Select } from '../ui/Select.tsx';
import { SNIPPET_WORDS as W } from '../words/snippets.ts';

/** A snippet that was just deleted, and its index in the list. */
interface Removed {
  readonly snippet: OwnSnippet;
  readonly at: number;
}

const NEW: OwnSnippet = { name: '', language: 'python', source: '' };

/** The user's snippets, with buttons to add, edit and delete them. */
export function SnippetSettings() {
  const {
    value: loaded,
    problem: loadProblem,
    again,
  } = useAnswer('ownSnippets', {}, { subject: 'snippets', key: '' });
  const [changed, setChanged] = useState<OwnSnippets | null>(null);
  /** The index of the snippet that is edited; the length of the list for a new one; null while none is edited. */
  const [editing, setEditing] = useState<number | null>(null);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const { busy, problem, run } = useTask();
  const own = changed ?? loaded;
  const write = async (snippets: readonly OwnSnippet[], base: string | null): Promise<void> => {
    const answer = await callRoute('setOwnSnippets', {
      body: { snippets: [...snippets], base_sha256: base },
    });
    setChanged(answer);
    setRemoved(null);
  };
  const reload = (): void => {
    setChanged(null);
    again();
  };
  const remove = (own: OwnSnippets, at: number): void =>
    run(async () => {
      await write(
        own.snippets.filter((_, nth) => nth !== at),
        own.sha256,
      );
      const snippet = own.snippets[at];
      setRemoved(snippet === undefined ? null : { snippet, at });
    });
  const restore = (own: OwnSnippets, { snippet, at }: Removed): void =>
    run(async () => {
      await write([...own.snippets.slice(0, at), snippet, ...own.snippets.slice(at)], own.sha256);
    });
  return (
    <section aria-labelledby="settings-snippets">
      <h3 id="settings-snippets">{W.title}</h3>
      <p className="text-field-hint">{W.about}</p>
      {loadProblem === null ? null : <Notice tone="warn">{loadProblem}</Notice>}
      {problem === null ? null : (
        <Notice tone="error" actions={<Button onClick={reload}>{W.again}</Button>}>
          {problem}
        </Notice>
      )}
      {own === null && loadProblem === null ? <p className="text-field-hint">{W.loading}</p> : null}
      {own === null ? null : own.problem !== null ? (
        <Notice tone="error" actions={<Button onClick={reload}>{W.again}</Button>}>
          {own.problem}
        </Notice>
      ) : (
        <>
          {own.snippets.length === 0 ? (
            <p className="text-field-hint">{W.none}</p>
          ) : (
            <ul className="plain-list" aria-label={W.list}>
              {own.snippets.map(({ name, language }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a file edited by hand may have a name twice
                <li key={`${at} ${name}`} className="settings-row settings-snippet-row">
                  <span className="settings-snippet">{name}</span>
                  <span className="text-field-hint">{CELL_LANGUAGES[language].name}</span>
                  <IconButton label={W.edit(name)} disabled={busy} onClick={() => setEditing(at)}>
                    <Pencil />
                  </IconButton>
                  <IconButton label={W.remove(name)} disabled={busy} onClick={() => remove(own, at)}>
                    <Trash2 />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          {removed === null ? null : (
            <Notice
              tone="info"
              actions={
                <Button disabled={busy} onClick={() => restore(own, removed)}>
                  {W.undo}
                </Button>
              }
            >
              {W.removed(removed.snippet.name)}
            </Notice>
          )}
          <div>
            <Button icon={<Plus />} disabled={busy} onClick={() => setEditing(own.snippets.length)}>
              {W.add}
            </Button>
          </div>
          <p className="text-field-hint">{W.file(own.path)}</p>
          {editing === null ? null : (
            <SnippetDialog
              snippets={own.snippets}
              at={editing}
              onClose={() => setEditing(null)}
              onSave={(snippet) => {
                const next = [...own.snippets];
                next[editing] = snippet;
                return write(next, own.sha256);
              }}
            />
          )}
        </>
      )}
    </section>
  );
}

function SnippetDialog(props: {
  snippets: readonly OwnSnippet[];
  at: number;
  onClose: () => void;
  onSave: (snippet: OwnSnippet) => Promise<void>;
}) {
  const { snippets, at, onClose, onSave } = props;
  const [draft, setDraft] = useState(snippets[at] ?? NEW);
  const { busy, problem, run } = useTask();
  const id = useId();
  const name = draft.name.trim();
  const isTaken = snippets.some((other, nth) => nth !== at && other.name === name);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={at < snippets.length ? W.editTitle : W.addTitle}
      go={W.save}
      going={W.saving}
      busy={busy}
      ready={name !== '' && !isTaken && draft.source.trim() !== ''}
      said={problem === null ? null : <Notice tone="error">{problem}</Notice>}
      onSubmit={() =>
        run(async () => {
          await onSave({ ...draft, name });
          onClose();
        })
      }
    >
      <TextField
        label={W.name}
        value={draft.name}
        maxLength={120}
        problem={isTaken ? W.nameTaken : null}
        onChange={(next) => setDraft({ ...draft, name: next })}
      />
      <Select
        label={W.language}
        value={draft.language}
        options={OFFERED_LANGUAGES.map((value) => ({ value, label: CELL_LANGUAGES[value].name }))}
        onChange={(language) => setDraft({ ...draft, language })}
      />
      <div className="text-field">
        <label className="text-field-label" htmlFor={id}>
          {W.source}
        </label>
        <textarea
          id={id}
          className="field settings-source"
          rows={8}
          maxLength={100_000}
          spellCheck={false}
          value={draft.source}
          onChange={(event) => setDraft({ ...draft, source: event.target.value })}
        />
      </div>
    </FormDialog>
  );
}
