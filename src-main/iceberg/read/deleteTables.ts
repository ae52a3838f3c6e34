/** Loads the delete files of a scan as tables into its DuckDB session, so that queries can exclude the deleted rows. */

import { quotedText } from '../../sql/duckdb/quoted.ts';
import { damaged } from '../icebergError.ts';
import type { ContentFile } from '../metadata/manifests.ts';
import type { TableMetadata } from '../metadata/tableMetadata.ts';
import { type Field, findField, isPrimitive } from '../metadata/types.ts';
import { DELETE_PATH_ID } from '../plan/assignDeletes.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { columnSql, nestedTypeSql } from './columnSql.ts';
import { type OpenParquet, openParquet } from './dataFile.ts';
import { deletedPositions } from './deletionVector.ts';
import { readFailure } from './readFailure.ts';
import type { ScanSession } from './scanSession.ts';

/** The id of the column `pos` in files of position deletes. */
const DELETE_POSITION_ID = 2_147_483_545;

/** Equality deletes with the same columns. */
interface KeyTable {
  readonly name: string;
  readonly fields: readonly Field[];
}

/**
 * The deletes of a scan as tables of its session. Each delete file is read once, when the first data file
 * needs it, and its rows are marked with its number, because deletes differ between data files.
 */
export class DeleteTables {
  readonly #scan: {
    readonly session: ScanSession;
    readonly files: TableFiles;
    readonly table: TableMetadata;
    readonly signal: AbortSignal;
  };
  readonly #numbers = new Map<ContentFile, number>();
  readonly #keyTables = new Map<string, KeyTable>();
  #vectors = 0;
  #hasPositions = false;

  constructor(scan: {
    readonly session: ScanSession;
    readonly files: TableFiles;
    readonly table: TableMetadata;
    readonly signal: AbortSignal;
  }) {
    this.#scan = scan;
  }

  /** SQL for the deleted positions of a data file, in the column `deleted_at`. @throws IcebergError */
  async positions(deletes: readonly ContentFile[], dataFile: string): Promise<string> {
    const { session, signal } = this.#scan;
    if (!this.#hasPositions) {
      await session.rows(
        'CREATE TEMP TABLE positions (delete_file INTEGER, path VARCHAR, row_number BIGINT)',
        signal,
      );
      this.#hasPositions = true;
    }
    const numbers: number[] = [];
    for (const file of deletes) {
      numbers.push(
        await this.#once(file, async (number) => {
          await this.#read(file, async (open) => {
            const [path, at] = [DELETE_PATH_ID, DELETE_POSITION_ID].map((id) => referenceOf(open, id));
            await session.rows(
              `INSERT INTO positions SELECT ${number}, ${path}, ${at} FROM ${open.from}`,
              signal,
            );
          });
        }),
      );
    }
    const path = quotedText(dataFile);
    return `SELECT row_number AS deleted_at FROM positions WHERE path = ${path} AND delete_file IN (${numbers.join(', ')})`;
  }

  /** SQL for the positions of a deletion vector, in the column `deleted_at`. @throws IcebergError */
  async vector(vector: ContentFile): Promise<string> {
    const { session, files, signal } = this.#scan;
    this.#vectors += 1;
    const name = `vector_${this.#vectors}`;
    await session.rows(`CREATE TEMP TABLE ${name} (deleted_at BIGINT)`, signal);
    await session.append(name, await deletedPositions(vector, files, signal));
    return `SELECT deleted_at FROM ${name}`;
  }

  /**
   * The tables of equality deletes with the numbers of the files that apply.
   * @throws IcebergError
   */
  async keys(
    deletes: readonly ContentFile[],
  ): Promise<readonly (KeyTable & { readonly numbers: readonly number[] })[]> {
    const byTable = new Map<KeyTable, number[]>();
    for (const file of deletes) {
      const table = await this.#keyTable(file);
      const number = await this.#once(file, (number) => this.#readKeys(file, table, number));
      byTable.set(table, [...(byTable.get(table) ?? []), number]);
    }
    return [...byTable].map(([table, numbers]) => ({ ...table, numbers }));
  }

  async #keyTable(file: ContentFile): Promise<KeyTable> {
    const ids = [...new Set(file.equalityIds)].sort((a, b) => a - b);
    const name = `keys_${ids.join('_')}`;
    const existing = this.#keyTables.get(name);
    if (existing !== undefined) return existing;
    const { session, table, signal } = this.#scan;
    const fields = ids.map((id) => keyField(id, table, file.path));
    const types = fields.map(({ type }, i) => `k${i} ${nestedTypeSql(type)}`);
    await session.rows(`CREATE TEMP TABLE ${name} (delete_file INTEGER, ${types.join(', ')})`, signal);
    const created = { name, fields };
    this.#keyTables.set(name, created);
    return created;
  }

  async #readKeys(file: ContentFile, { name, fields }: KeyTable, number: number): Promise<void> {
    const { session, signal } = this.#scan;
    await this.#read(file, async (open) => {
      const source = { ...NO_CONSTANTS, location: file.path };
      const keys = fields.map((field) => {
        const column = open.columns.find(({ node }) => node.fieldId === field.id);
        return columnSql(field, column?.node ?? null, column?.reference ?? '', source);
      });
      await session.rows(
        `INSERT INTO ${name} SELECT DISTINCT ${number}, ${keys.join(', ')} FROM ${open.from}`,
        signal,
      );
    });
  }

  async #read(file: ContentFile, use: (open: OpenParquet) => Promise<void>): Promise<void> {
    const { session, files, table, signal } = this.#scan;
    const local = await files.local(file.path, signal);
    try {
      await use(await openParquet(local.path, file, { session, mapping: table.nameMapping, signal }));
    } catch (error) {
      throw readFailure(error, file.path, signal);
    } finally {
      await local.release();
    }
  }

  async #once(file: ContentFile, read: (number: number) => Promise<void>): Promise<number> {
    const existing = this.#numbers.get(file);
    if (existing !== undefined) return existing;
    const number = this.#numbers.size + 1;
    await read(number);
    this.#numbers.set(file, number);
    return number;
  }
}

const NO_CONSTANTS = { location: '', constants: new Map<number, string>() };

function referenceOf({ columns, location }: OpenParquet, id: number): string {
  const column = columns.find(({ node }) => node.fieldId === id);
  if (column === undefined) throw damaged(location, 'it is not a file of position deletes.');
  return column.reference;
}

/** A column that deletes refer to: a current or an earlier column of the table. */
function keyField(id: number, { currentSchema, schemas }: TableMetadata, location: string): Field {
  for (const { fields } of [currentSchema, ...schemas.toReversed()]) {
    const field = fields.find((one) => one.id === id);
    if (field !== undefined && isPrimitive(field.type)) return field;
    if (field === undefined && findField(fields, id) === null) continue;
    throw damaged(location, 'it deletes rows by a nested column, which is not supported. Compact the table.');
  }
  throw damaged(location, `it deletes rows by the column with the id ${id}, which the table never had.`);
}
