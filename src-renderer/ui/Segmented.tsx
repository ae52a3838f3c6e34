import './segmented.css';
import { RadioGroup as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** A choice between a few options, all of them visible. Arrow keys choose. */
export function Segmented<Value extends string>(props: {
  label: string;
  value: Value;
  options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly icon?: ReactNode;
    readonly hint?: string;
  }[];
  onChange: (value: Value) => void;
}) {
  const { label, value, options, onChange } = props;
  return (
    <Radix.Root
      className="segmented"
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => {
        const option = options.find((one) => one.value === next);
        if (option !== undefined) onChange(option.value);
      }}
    >
      {options.map((option) => (
        <Radix.Item key={option.value} value={option.value} className="segment" title={option.hint}>
          {option.icon}
          {option.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
