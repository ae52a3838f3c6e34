import { useState } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { WORDS } from '../../ui/strings.ts';

/** The notebook's name; a click renames it in place. */
export function NotebookName() {
  const session = useSession();
  const name = useView((view) => view.model.meta?.name ?? null);
  const [draft, setDraft] = useState<string | null>(null);
  if (name === null) return <span className="header-name" />;
  if (draft === null) {
    return (
      <h1 className="header-title">
        <button
          type="button"
          className="header-name"
          title={WORDS.renameNotebook}
          aria-label={`${WORDS.renameNotebook}: ${name}`}
          onClick={() => setDraft(name)}
        >
          {name}
        </button>
      </h1>
    );
  }
  const finish = (): void => {
    const wanted = draft.trim();
    setDraft(null);
    if (wanted !== '' && wanted !== name) void session.shape.rename(wanted);
  };
  return (
    <input
      className="field header-rename"
      // The person has just asked to rename.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label={WORDS.renameNotebook}
      value={draft}
      maxLength={255}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish();
        if (event.key === 'Escape') setDraft(null);
      }}
    />
  );
}
