/** A form field that chooses one option from a list that opens. */

import './menu.css';
import './field.css';
import './select.css';
import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { useId, useState } from 'react';
import { InertPage } from './InertPage.tsx';

interface Option<Value extends string> {
  /** Must not be empty. */
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
}

/** A choice from a list that opens. Arrow keys and letters choose. */
export function Select<Value extends string>(props: {
  label: string;
  hideLabel?: boolean;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  hint?: string;
  disabled?: boolean;
  /** Shown while the value matches no option. */
  placeholder?: string;
}) {
  const { label, hideLabel = false, value, options, onChange, hint, disabled = false, placeholder } = props;
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div className="select-field">
      <span id={`${id}-label`} className={hideLabel ? 'visually-hidden' : 'text-field-label'}>
        {label}
      </span>
      {open ? <InertPage /> : null}
      <Radix.Root
        open={open}
        onOpenChange={setOpen}
        value={value}
        disabled={disabled}
        onValueChange={(next) => {
          const option = options.find((one) => one.value === next);
          if (option !== undefined) onChange(option.value);
        }}
      >
        <Radix.Trigger
          className="select"
          aria-labelledby={`${id}-label ${id}-value`}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        >
          <span id={`${id}-value`} className="select-value">
            {/* Radix shows its own placeholder only for an empty value, not for a value that matches no option. */}
            {options.some((one) => one.value === value) ? <Radix.Value /> : placeholder}
          </span>
          <Radix.Icon asChild>
            <ChevronDown aria-hidden="true" />
          </Radix.Icon>
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            className="menu select-list"
            position="popper"
            sideOffset={4}
            collisionPadding={8}
            aria-label={label}
            onKeyDown={(event) => event.stopPropagation()}
          >
            <Radix.Viewport>
              {options.map((option) => (
                <Radix.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled === true}
                  className="menu-row"
                >
                  <span className="menu-icon select-tick">
                    <Radix.ItemIndicator>
                      <Check aria-hidden="true" />
                    </Radix.ItemIndicator>
                  </span>
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      {hint === undefined ? null : (
        <p className="text-field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
