/** Dialog that attaches an Iceberg catalog to the server, or edits one. */

import { useState } from 'react';
import type { OfferedCatalog } from '../../../src-shared/wire/routes/tableCatalogs.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import {
  CATALOG_FIELDS,
  CATALOG_KINDS,
  type CatalogField,
  CATALOG_WORDS as W,
} from '../../words/catalogs.ts';
import { type CatalogDraft, draftOf, NEW_CATALOG, problemsOf, propertiesOf } from './catalogDraft.ts';

/** Attaches a catalog, or edits one. */
export function CatalogDialog(props: {
  readonly catalog: OfferedCatalog | null;
  /** Names of other catalogs. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  /** Returns the error message, or null on success. */
  readonly onSave: (
    name: string,
    properties: Readonly<Record<string, string | null>>,
  ) => Promise<string | null>;
}) {
  const { catalog, taken, onClose, onSave } = props;
  const [draft, setDraft] = useState<CatalogDraft>(catalog === null ? NEW_CATALOG : draftOf(catalog));
  // Errors are shown only after the first attempt to submit the form.
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const problems = problemsOf(draft, taken);
  const problemOf = (key: string): string | null => (isSubmitted ? (problems[key] ?? null) : null);
  const set = (change: Partial<CatalogDraft>): void => setDraft({ ...draft, ...change });
  const save = async (): Promise<void> => {
    setIsSubmitted(true);
    if (Object.keys(problems).length > 0) return;
    setBusy(true);
    const words = await onSave(draft.name, propertiesOf(draft, catalog));
    setBusy(false);
    if (words === null) onClose();
    else setRefused(words);
  };
  const plain = { spellCheck: false, autoComplete: 'off' } as const;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={catalog === null ? W.attachTitle : W.editTitle(catalog.name)}
      go={catalog === null ? W.save : W.change}
      going={W.saving}
      busy={busy}
      onSubmit={() => void save()}
    >
      {refused === null ? null : <Notice tone="error">{refused}</Notice>}
      {catalog === null ? (
        <TextField
          {...plain}
          label={W.name}
          hint={draft.kind === 'sqlite' || draft.kind === 'postgresql' ? W.nameHintSql : W.nameHint}
          value={draft.name}
          onChange={(name) => set({ name })}
          problem={problemOf('name')}
          mono
        />
      ) : null}
      <Select
        label={W.kind}
        value={draft.kind}
        options={CATALOG_KINDS.map((kind) => ({ value: kind, label: W.kinds[kind] }))}
        onChange={(kind) => set({ kind, values: kind === draft.kind ? draft.values : {} })}
      />
      {CATALOG_FIELDS[draft.kind].map((field) => (
        <TextField
          {...plain}
          key={`${draft.kind} ${field.key}`}
          label={field.label}
          {...hintOf(field, catalog)}
          value={draft.values[field.key] ?? ''}
          onChange={(value) => set({ values: { ...draft.values, [field.key]: value } })}
          problem={problemOf(field.key)}
          mono
        />
      ))}
    </FormDialog>
  );
}

function hintOf(
  { key, hint, secret }: CatalogField,
  catalog: OfferedCatalog | null,
): { readonly hint?: string } {
  if (secret === true) return { hint: catalog?.secrets.includes(key) === true ? W.secretKept : W.secretHint };
  return hint === undefined ? {} : { hint };
}
