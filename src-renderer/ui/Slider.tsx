import './field.css';
import './slider.css';
import { useId } from 'react';
import { NumberField, type NumberFieldProps } from './NumberField.tsx';

/** A number in a range: dragged, changed by the arrow keys, or typed beside the slider. */
export function Slider(
  props: Omit<NumberFieldProps, 'hideLabel' | 'labelledBy' | 'min' | 'max' | 'value'> & {
    readonly value: number;
    readonly min: number;
    readonly max: number;
    readonly step: number;
    readonly onDrag: (value: number) => void;
  },
) {
  const { onDrag, ...field } = props;
  const { label, value, min, max, step, disabled = false } = field;
  const id = useId();
  const isEmpty = !(min < max);
  const share = isEmpty ? 0 : Math.min(Math.max((value - min) / (max - min), 0), 1);
  return (
    <div className="slider-field">
      <span id={id} className="text-field-label">
        {label}
      </span>
      <div className="slider-row">
        <input
          type="range"
          className="slider"
          aria-labelledby={id}
          min={min}
          max={isEmpty ? min : max}
          step={step}
          value={value}
          disabled={disabled || isEmpty}
          style={{ '--share': share } as React.CSSProperties} // the type has no custom properties
          onChange={(event) => onDrag(event.target.valueAsNumber)}
        />
        <NumberField {...field} hideLabel disabled={disabled || isEmpty} />
      </div>
    </div>
  );
}
