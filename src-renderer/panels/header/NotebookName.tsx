import { useEffect, useRef } from 'react';
import { useSession, useView } from '../../notebook/context.ts';
import { NameField } from '../../notebook/NameField.tsx';
import { isFocusLost } from '../../ui/lostFocus.ts';
import { WORDS } from '../../words/strings.ts';

/** The notebook's name; a click renames it in place. */
export function NotebookName() {
  const session = useSession();
  const name = useView((view) => view.model.meta?.name ?? null);
  const naming = useView((view) => view.naming === 'notebook');
  const button = useRef<HTMLButtonElement>(null);
  const wasNaming = useRef(false);
  useEffect(() => {
    // Closing the field loses the focus unless something else took it; the button gets it back.
    if (wasNaming.current && !naming && isFocusLost(null)) button.current?.focus();
    wasNaming.current = naming;
  }, [naming]);
  if (name === null) return <span className="header-name" />;
  if (naming) {
    return (
      <NameField
        className="field header-rename"
        name={name}
        label={WORDS.renameNotebook}
        maxLength={255}
        onDone={(newName) => {
          session.name(null);
          if (newName !== null && newName !== '') void session.shape.rename(newName);
        }}
      />
    );
  }
  return (
    <h1 className="header-title">
      <button
        ref={button}
        type="button"
        className="header-name"
        title={WORDS.renameNotebook}
        aria-label={`${WORDS.renameNotebook}: ${name}`}
        onClick={() => session.name('notebook')}
      >
        {name}
      </button>
    </h1>
  );
}
