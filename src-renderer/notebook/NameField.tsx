import { useRef, useState } from 'react';

/** A name being changed in its place: Enter or leaving takes it, Escape leaves it as it was. */
export function NameField(props: {
  name: string;
  label: string;
  className: string;
  maxLength: number;
  /** The new name, or null where it stays. */
  onDone: (name: string | null) => void;
}) {
  const { name, label, className, maxLength, onDone } = props;
  const [draft, setDraft] = useState(name);
  // Leaving follows Enter and Escape too; one answer is enough.
  const isFinished = useRef(false);
  const finish = (newName: string | null): void => {
    if (isFinished.current) return;
    isFinished.current = true;
    onDone(newName === null || newName.trim() === name ? null : newName.trim());
  };
  return (
    <input
      className={className}
      // The person has just chosen to rename.
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
        // A button that has the focus afterwards is not pressed by the same key.
        event.preventDefault();
        event.stopPropagation();
        finish(event.key === 'Enter' ? draft : null);
      }}
    />
  );
}
