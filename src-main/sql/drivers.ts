/** The table of SQL drivers, each loaded at its first use. */

import type { DriverName } from '../../src-shared/sql/dialect.ts';
import type { Driver } from './driver.ts';

/** Loads each driver at its first use, in the SQL thread. One line per driver. */
export const DRIVERS: Readonly<Partial<Record<DriverName, () => Promise<Driver>>>> = {
  duckdb: async () => (await import('./duckdb/duckdbDriver.ts')).duckdb,
  sqlite: async () => (await import('./sqlite/sqliteDriver.ts')).sqlite,
  postgresql: async () => (await import('./postgresql/driver.ts')).postgresql,
  snowflake: async () => (await import('./snowflake/driver.ts')).snowflake,
  bigquery: async () => (await import('./bigquery/driver.ts')).bigquery,
};
