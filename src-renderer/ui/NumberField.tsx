/** A form field for a number, with limits. */

import { useState } from 'react';
import { PRIMITIVE_WORDS } from '../words/primitives.ts';
import { TextField } from './Field.tsx';

export interface NumberFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  /** Null if no number is set. */
  readonly value: number | null;
  /** Parses the typed text; null if it is no number. */
  readonly read: (text: string) => number | null;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly step?: number | null;
  readonly disabled?: boolean;
  /** `done`: the input has ended (Enter, or leaving the field). */
  readonly onChange: (value: number, done: boolean) => void;
}

/**
 * A number field. Invalid or out-of-range input shows an error. Leaving the field clamps a number to the range and
 * discards other input.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, hideLabel = false, value, read, disabled = false, onChange } = props;
  const [min, max, step] = [props.min ?? null, props.max ?? null, props.step ?? null];
  const [typed, setTyped] = useState<string | null>(null);
  const number = typed === null ? null : read(typed);
  const isOutside = number !== null && ((min !== null && number < min) || (max !== null && number > max));
  const problem =
    typed === null || typed.trim() === ''
      ? null
      : number === null
        ? PRIMITIVE_WORDS.noNumber
        : isOutside
          ? PRIMITIVE_WORDS.outside(min, max)
          : null;
  const finish = (): void => {
    if (number !== null) onChange(Math.min(Math.max(number, min ?? number), max ?? number), true);
    setTyped(null);
  };
  const move = (by: 1 | -1): void => {
    if (step === null) return;
    const next = (number ?? value ?? 0) + by * step;
    const digits = Math.max(digitsAfterPoint(step), digitsAfterPoint(value ?? 0));
    setTyped(null);
    onChange(Number(Math.min(Math.max(next, min ?? next), max ?? next).toFixed(Math.min(digits, 20))), true);
  };
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      mono
      inputMode="decimal"
      autoComplete="off"
      disabled={disabled}
      value={typed ?? (value === null ? '' : String(value))}
      problem={problem}
      onChange={(text) => {
        setTyped(text);
        const next = read(text);
        const fits = next !== null && (min === null || next >= min) && (max === null || next <= max);
        if (fits) onChange(next, false);
      }}
      onBlur={() => typed !== null && finish()}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish();
        else if (event.key === 'Escape' && typed !== null) {
          event.stopPropagation();
          setTyped(null);
        } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && step !== null) {
          event.preventDefault();
          move(event.key === 'ArrowUp' ? 1 : -1);
        }
      }}
    />
  );
}

function digitsAfterPoint(value: number): number {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
}
