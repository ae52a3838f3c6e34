/** The controls of a widget cell (slider, number, dropdown, checkbox, text) with the values that the user has set. */

import './widget.css';
import { memo, useState } from 'react';
import {
  acceptValue,
  boundOf,
  numberFrom,
  optionsOf,
  type WidgetDescriptor,
  type WidgetValue,
} from '../../../src-shared/notebook/widgets.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { Pace } from '../../live/controls.ts';
import { pendingValuesOf, shownValue } from '../../state/pendingValues.ts';
import { TextField } from '../../ui/Field.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Select } from '../../ui/Select.tsx';
import { Slider } from '../../ui/Slider.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { WIDGET_WORDS as W } from '../../words/widget.ts';
import { useCell, useSession } from '../context.ts';

/** The controls of a widget cell, with the values that the user has set. */
export const WidgetControls = memo(function WidgetControls(props: { id: string; cell: Cell; name: string }) {
  const { id, cell, name } = props;
  const session = useSession();
  const moves = useCell(id, (view) => pendingValuesOf(view, id));
  return (
    <fieldset className="controls" aria-label={W.controls(name)}>
      {cell.widget?.descriptors.map((descriptor) => (
        <div className={`control control-${descriptor.kind}`} key={`${descriptor.name} ${descriptor.kind}`}>
          <Control
            descriptor={descriptor}
            value={shownValue(cell, moves, descriptor)}
            onMove={(value, pace) => session.controls.move(id, { name: descriptor.name, value, pace })}
          />
        </div>
      ))}
    </fieldset>
  );
});

interface ControlProps {
  readonly descriptor: WidgetDescriptor;
  readonly value: WidgetValue;
  readonly onMove: (value: WidgetValue, pace: Pace) => void;
}

/** The label of a control: from its declaration, else its name. */
function labelOf({ name, params }: WidgetDescriptor): string {
  const { label } = params;
  return typeof label === 'string' && label.trim() !== '' ? label : name;
}

function Control(props: ControlProps) {
  const { descriptor, value, onMove } = props;
  const label = labelOf(descriptor);
  switch (descriptor.kind) {
    case 'slider':
      return <SliderControl {...props} label={label} />;
    case 'number':
      return (
        <NumberField
          label={label}
          value={typeof value === 'number' ? value : null}
          min={boundOf(descriptor, 'min')}
          max={boundOf(descriptor, 'max')}
          step={boundOf(descriptor, 'step') ?? 1}
          read={numberFrom}
          onChange={(next, done) => onMove(next, done ? 'now' : 'type')}
        />
      );
    case 'dropdown':
      return <DropdownControl {...props} label={label} />;
    case 'checkbox':
      return <Switch label={label} checked={value === true} onChange={(on) => onMove(on, 'now')} />;
    case 'text':
      return <TextControl {...props} label={label} />;
    default:
      return descriptor.kind satisfies never;
  }
}

function SliderControl({ descriptor, value, label, onMove }: ControlProps & { label: string }) {
  return (
    <Slider
      label={label}
      value={typeof value === 'number' ? value : 0}
      min={boundOf(descriptor, 'min') ?? 0}
      max={boundOf(descriptor, 'max') ?? 0}
      step={boundOf(descriptor, 'step') ?? 1}
      read={numberFrom}
      onDrag={(next) => onMove(next, 'drag')}
      onChange={(next, done) => onMove(next, done ? 'now' : 'type')}
    />
  );
}

/** Options are selected by index, because two may have the same text and one may be empty. */
function DropdownControl({ descriptor, value, label, onMove }: ControlProps & { label: string }) {
  const options = optionsOf(descriptor);
  return (
    <Select
      label={label}
      value={String(options.indexOf(value))}
      placeholder={value === null ? W.nothingChosen : String(value)}
      options={options.map((option, at) => ({ value: String(at), label: optionText(option) }))}
      onChange={(at) => {
        const selectedOption = options[Number(at)];
        if (selectedOption !== undefined) onMove(selectedOption, 'now');
      }}
    />
  );
}

/** A value in Python notation, to match the code beside it. */
function optionText(option: WidgetValue): string {
  if (option === null) return 'None';
  if (typeof option === 'boolean') return option ? 'True' : 'False';
  return option === '' ? '""' : String(option);
}

function TextControl({ descriptor, value, label, onMove }: ControlProps & { label: string }) {
  // Input that the control does not accept (half a surrogate pair, text that is too long) stays in the field and is not
  // sent.
  const [odd, setOdd] = useState<string | null>(null);
  const fieldText = odd ?? (typeof value === 'string' ? value : '');
  return (
    <TextField
      label={label}
      value={fieldText}
      autoComplete="off"
      onChange={(text) => {
        const fits = acceptValue(descriptor, text) !== null;
        setOdd(fits ? null : text);
        if (fits) onMove(text, 'type');
      }}
      onBlur={() => odd === null && fieldText !== descriptor.default && onMove(fieldText, 'now')}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing && odd === null) onMove(fieldText, 'now');
      }}
    />
  );
}
