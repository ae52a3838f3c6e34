import './field.css';
import './switch.css';
import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';

/** An on/off switch, which takes effect immediately. */
export function Switch(props: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: string;
  disabled?: boolean;
}) {
  const { label, checked, onChange, hint, disabled = false } = props;
  const id = useId();
  return (
    <div className="switch-field">
      <div className="switch-words">
        <label htmlFor={id} className="switch-label">
          {label}
        </label>
        {hint === undefined ? null : (
          <p className="text-field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        className="switch"
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      >
        <Radix.Thumb className="switch-thumb" />
      </Radix.Root>
    </div>
  );
}
