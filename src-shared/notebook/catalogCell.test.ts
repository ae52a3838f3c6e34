import { expect, it } from 'vitest';
import { catalogCell } from './catalogCell.ts';

type Subject = Parameters<typeof catalogCell>[0];
const ORDERS: Subject = { catalog: 'lake', namespace: 'shop', table: 'orders', snapshotId: null };

it.each<[string, Partial<Subject>, string[], string[], string]>([
  [
    'the current snapshot',
    {},
    [],
    ['pandas', 'polars'],
    '# @table orders_table lake:shop.orders\norders = svc.materialize(orders_table, snapshot_id=orders_table_snapshot).pandas()\norders',
  ],
  [
    'a pinned one, if only polars is installed',
    { snapshotId: '9007199254740993' },
    [],
    ['polars'],
    '# @table orders_table lake:shop.orders snapshot=9007199254740993\norders = svc.materialize(orders_table, snapshot_id=orders_table_snapshot).polars()\norders',
  ],
  [
    'a name that is taken or not valid in Python',
    { table: '2024-Orders' },
    ['rows_2024_orders'],
    [],
    '# @table rows_2024_orders_2_table lake:shop.2024-Orders\nrows_2024_orders_2 = svc.materialize(rows_2024_orders_2_table, snapshot_id=rows_2024_orders_2_table_snapshot).pandas()\nrows_2024_orders_2',
  ],
])('[WI-351] a cell reads %s', (_what, change, taken, packages, source) => {
  const around = { taken: new Set(taken), packages: new Set(packages) };
  expect(catalogCell({ ...ORDERS, ...change }, around)).toBe(source);
});
