/** Dialog that shows one value of a table result in full. */

import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/Toast.tsx';
import { countText } from '../../words/strings.ts';
import { TABLE_WORDS } from '../../words/table.ts';
import { copyText } from '../copyText.ts';
import { JsonTree } from '../JsonTree.tsx';
import { shortValue } from '../jsonText.ts';
import { isNested, isPicture } from './valueKind.ts';

/** The complete value of one cell, which the grid shows shortened. */
export interface OpenValue {
  readonly column: string;
  readonly row: number;
  readonly value: unknown;
}

export function ValueDialog({ open, onClose }: { open: OpenValue; onClose: () => void }) {
  const text =
    typeof open.value === 'object' && open.value !== null
      ? JSON.stringify(open.value, null, 2)
      : open.value === null || open.value === undefined
        ? 'null'
        : shortValue(open.value);
  return (
    <Dialog
      open
      onClose={onClose}
      title={TABLE_WORDS.value(open.column || TABLE_WORDS.index, countText(open.row + 1))}
      footer={
        <Button
          onClick={() =>
            void copyText(text).then((done) =>
              toast(done ? TABLE_WORDS.copiedValue : TABLE_WORDS.copyRefused),
            )
          }
        >
          {TABLE_WORDS.copyValue}
        </Button>
      }
    >
      {isNested(open.value) ? (
        <JsonTree value={open.value} />
      ) : isPicture(open.value) ? (
        <img className="value-picture" src={open.value} alt={TABLE_WORDS.picture} />
      ) : (
        <pre className="value-text">{text}</pre>
      )}
    </Dialog>
  );
}
