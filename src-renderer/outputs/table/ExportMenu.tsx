import type { TableQuery } from './tableQuery.ts';
import type { TableSource } from './useTablePage.ts';

export function ExportMenu(_props: { source: TableSource; query: TableQuery }) {
  return null;
}
