import { useRef, useState } from 'react';

/** A field that renames something in place: Enter or leaving the field applies the name, Escape keeps the old one. */
export function NameField(props: {
  name: string;
  label: string;
  className: string;
  maxLength: number;
  /** Called with the new name, or null to keep the old one. */
  onDone: (name: string | null) => void;
}) {
  const { name, label, className, maxLength, onDone } = props;
  const [draft, setDraft] = useState(name);
  // After Enter or Escape the field also loses the focus; `onDone` is called once.
  const isFinished = useRef(false);
  const finish = (newName: string | null): void => {
    if (isFinished.current) return;
    isFinished.current = true;
    onDone(newName === null || newName.trim() === name ? null : newName.trim());
  };
  return (
    <input
      className={className}
      // The user has just chosen to rename.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label={label}
      value={draft}
      maxLength={maxLength}
      spellCheck={false}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(draft)}
      onMouseDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // Keeps the same key press from activating a button that has the focus afterwards.
        event.preventDefault();
        event.stopPropagation();
        finish(event.key === 'Enter' ? draft : null);
      }}
    />
  );
}
