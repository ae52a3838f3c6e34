import { useState } from 'react';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { rowNumber } from './rowNumber.ts';

/** Field of a table result that asks for the row to go to, counted from 1 in the shown order. */
export function GoToRow(props: { total: number; onRow: (row: number) => void; onClose: () => void }) {
  const { total, onRow, onClose } = props;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={TABLE_WORDS.goTo}
      go={TABLE_WORDS.goToGo}
      going={TABLE_WORDS.goToGo}
      busy={false}
      onSubmit={() => {
        const row = rowNumber(text, total);
        if (row === null) setProblem(TABLE_WORDS.goToProblem(countText(total)));
        else {
          onClose();
          onRow(row - 1);
        }
      }}
    >
      <TextField
        label={TABLE_WORDS.goToRow(countText(total))}
        value={text}
        inputMode="numeric"
        autoFocus
        problem={problem}
        onChange={(next) => {
          setProblem(null);
          setText(next);
        }}
      />
    </FormDialog>
  );
}
