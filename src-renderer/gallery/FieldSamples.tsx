/** Gallery page for developers: samples of form fields. */

import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { SearchField, TextField } from '../ui/Field.tsx';
import { Keys } from '../ui/Keys.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Select } from '../ui/Select.tsx';
import { Switch } from '../ui/Switch.tsx';
import { Sample, Samples } from './Sample.tsx';

const PYTHONS = ['3.11', '3.12', '3.13'].map((value) => ({ value, label: value }));

export function FieldSamples() {
  const [text, setText] = useState('');
  const [search, setSearch] = useState('trips');
  const [python, setPython] = useState('3.13');
  const [on, setOn] = useState(true);
  const [size, setSize] = useState<'s' | 'm' | 'l'>('m');
  const ignore = (): void => undefined;
  return (
    <Samples title="Fields">
      <Sample name="TextField">
        <TextField
          label="Name"
          value={text}
          onChange={setText}
          placeholder="Bike trips"
          hint="Seen in the list."
        />
      </Sample>
      <Sample name="TextField, wrong">
        <TextField
          label="Folder"
          value="/home/me/photos"
          mono
          onChange={ignore}
          problem="There is no notebook."
        />
      </Sample>
      <Sample name="TextField, disabled">
        <TextField label="Owner" value="ada" disabled onChange={ignore} />
      </Sample>
      <Sample name="TextField with a button">
        <TextField label="Where" value="/home/me" mono onChange={ignore} after={<Button>Choose…</Button>} />
      </Sample>
      <Sample name="SearchField">
        <SearchField label="Search cells" value={search} onChange={setSearch} found="3 of 40" />
        <SearchField label="Search rows" value="" onChange={ignore} after={<Keys chord="/" />} />
      </Sample>
      <Sample name="Select">
        <Select
          label="Python"
          value={python}
          options={PYTHONS}
          onChange={setPython}
          hint="For new notebooks."
        />
        <Select label="Worker" value="3.11" options={PYTHONS} onChange={setPython} disabled />
      </Sample>
      <Sample name="Switch">
        <Switch label="Wide column" checked={on} onChange={setOn} hint="Cells take the whole width." />
        <Switch label="Off" checked={!on} onChange={(next) => setOn(!next)} />
        <Switch label="Disabled" checked onChange={ignore} disabled />
      </Sample>
      <Sample name="Segmented">
        <Segmented
          label="Size"
          value={size}
          onChange={setSize}
          options={[
            { value: 's', label: 'Small' },
            { value: 'm', label: 'Middle' },
            { value: 'l', label: 'Large' },
          ]}
        />
      </Sample>
    </Samples>
  );
}
