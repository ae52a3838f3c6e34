/** The text field and the search field of the window's forms. */

import './field.css';
import { Search, X } from 'lucide-react';
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { PRIMITIVE_WORDS } from '../words/primitives.ts';
import { IconButton } from './Button.tsx';

type Native = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'value' | 'onChange' | 'id' | 'aria-describedby' | 'aria-invalid' | 'size' | 'type'
>;

interface TextFieldProps extends Native {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether the label is only for screen readers, because the context already names the field. */
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  /** The error message of the value; empty or null if it is valid. */
  readonly problem?: string | null;
  /** Whether to use the code font, as for paths, names in code and tokens. */
  readonly mono?: boolean;
  /** Shown after the input: a button or a unit. */
  readonly after?: ReactNode;
  readonly type?: 'text' | 'password' | 'number' | 'url';
  readonly ref?: Ref<HTMLInputElement>;
}

/** A text field of one line with its label, its hint, and its error message. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, hideLabel, hint, problem, mono, after, type = 'text', ...native } = props;
  const id = useId();
  const wrong = problem !== undefined && problem !== null && problem !== '';
  const notes = [wrong ? `${id}-problem` : '', hint === undefined ? '' : `${id}-hint`].filter(
    (one) => one !== '',
  );
  return (
    <div className="text-field">
      <label htmlFor={id} className={hideLabel === true ? 'visually-hidden' : 'text-field-label'}>
        {label}
      </label>
      <div className="text-field-row">
        <input
          {...native}
          id={id}
          type={type}
          className={mono === true ? 'field field-m field-mono' : 'field field-m'}
          value={value}
          aria-invalid={wrong}
          aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}
          onChange={(event) => onChange(event.target.value)}
        />
        {after}
      </div>
      {wrong ? (
        <p className="text-field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      ) : null}
      {hint === undefined ? null : (
        <p className="text-field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface SearchFieldProps extends Native {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The result announced while typing, for example "12 of 40". */
  readonly found?: string | undefined;
  readonly after?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A search field. Escape clears it; in an empty field, the page handles Escape. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, found, after, onKeyDown, ...native } = props;
  return (
    <div className="search-field">
      <Search className="search-icon" aria-hidden="true" />
      <input
        {...native}
        type="search"
        className="field field-m"
        aria-label={label}
        placeholder={native.placeholder ?? label}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '' && !event.nativeEvent.isComposing) {
            event.preventDefault();
            event.stopPropagation();
            onChange('');
          }
          onKeyDown?.(event);
        }}
      />
      <span className="search-after">
        <span role="status" className="search-found">
          {found}
        </span>
        {value === '' ? (
          after
        ) : (
          <IconButton label={PRIMITIVE_WORDS.clear} onClick={() => onChange('')}>
            <X aria-hidden="true" />
          </IconButton>
        )}
      </span>
    </div>
  );
}
