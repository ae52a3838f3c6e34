/** Menu that shows hidden columns of a table again. */

import { Button } from '../../ui/Button.tsx';
import type { MenuItem } from '../../ui/Menu.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { TABLE_WORDS } from '../../words/table.ts';
import { labelOf } from './columnLayout.ts';
import type { Columns } from './useColumns.ts';

/** The most columns listed: a longer menu does not scroll well. */
const MAX_NAMES = 40;

/** Menu that shows hidden columns again; present while some are hidden. */
export function ColumnsMenu({ columns }: { columns: Columns }) {
  const { hidden } = columns.choices;
  if (hidden.length === 0) return null;
  const items: MenuItem[] = [
    { kind: 'item', label: TABLE_WORDS.showAll(hidden.length), onSelect: () => columns.show(null) },
    { kind: 'separator' },
    ...hidden.slice(0, MAX_NAMES).map(
      (name): MenuItem => ({
        kind: 'item',
        label: TABLE_WORDS.showColumn(labelOf(name) || TABLE_WORDS.index),
        onSelect: () => columns.show(name),
      }),
    ),
  ];
  return <Menu label={TABLE_WORDS.columns} items={items} trigger={<Button>{TABLE_WORDS.columns}</Button>} />;
}
