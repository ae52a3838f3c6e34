/** The scans that the crash test of the data plane makes, with the rows that each must give. */

/** The scans of the crash test, over the table of e2e/services/plane_tables.py, and what each must give. */
export interface KilledScan {
  readonly params: Readonly<Record<string, unknown>>;
  /** The rows as `rowsOf` shows them. */
  readonly rows: readonly string[];
}

const CITIES = ['Kiel', 'Bonn', 'Köln'];
const COLUMNS = [['id'], ['id', 'city'], ['price'], ['city', 'id', 'price']] as const;
const LEAST = [0, 4, 11, 100];

/** A column of row `id`, as that program writes it. */
function shownValue(id: number, column: 'id' | 'city' | 'price'): string {
  if (column === 'id') return String(id);
  if (column === 'price') return String(id / 2);
  return id % 5 === 4 ? 'null' : JSON.stringify(CITIES[id % 3]);
}

/** Any four consecutive ones have all columns and all filters. */
export const KILLED_SCANS: readonly KilledScan[] = LEAST.flatMap((_, turn) =>
  COLUMNS.map((columns, at) => {
    const least = LEAST[(at + turn) % LEAST.length] ?? 0;
    const ids = Array.from({ length: 15 }, (_one, id) => id).filter((id) => id >= least);
    const names = [...columns].sort();
    return {
      params: { columns: [...columns], filters: [{ column: 'id', op: '>=', value: least }] },
      rows: ids.map((id) => names.map((name) => `${name}=${shownValue(id, name)}`).join('; ')).sort(),
    };
  }),
);
