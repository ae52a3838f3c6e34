/** Reads the values and data frames of other cells that a SQL cell uses, as binds and tables. */

import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import type { BindValue } from '../../sql/bindValue.ts';
import type { Frame } from '../../sql/driver.ts';
import { SqlError } from '../../sql/sqlError.ts';
import { readDigest } from '../shared/pinned.ts';
import type { StepInput } from '../step.ts';

type BoundInputs =
  | {
      readonly kind: 'bound';
      readonly values: ReadonlyMap<string, BindValue>;
      /** Digests of the values' bytes, by name. */
      readonly digests: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'lost'; readonly input: StepInput; readonly uri: string; readonly message: string };

type FrameInputs =
  | {
      readonly kind: 'frames';
      readonly frames: readonly Frame[];
      /** Digests of their bytes, by name. */
      readonly digests: Readonly<Record<string, string>>;
    }
  | Extract<BoundInputs, { readonly kind: 'lost' }>;

/**
 * The data frames a cell reads like tables: those of these names that an upstream cell defines. @throws
 * SqlError naming the one that is not a table
 */
export async function frameInputs(
  store: ArtifactStore,
  names: readonly string[],
  inputs: readonly StepInput[],
): Promise<FrameInputs> {
  const frames: Frame[] = [];
  const digests: Record<string, string> = {};
  for (const name of names) {
    const input = inputs.find(({ variable }) => variable === name);
    if (input === undefined) continue;
    if (input.row === null)
      throw new SqlError(`\`${name}\` has no value: run the cell that defines it first.`);
    if (input.variant !== null) {
      throw new SqlError(
        `\`${name}\` has one value per variant, but FROM reads a single table. Choose one in a Python cell.`,
      );
    }
    if (input.row.contentType !== 'arrow/ipc') {
      throw new SqlError(
        `\`${name}\` is a ${input.row.contentType} value, not a table. FROM reads data frames and Arrow tables of other cells.`,
      );
    }
    const readable = await store.readable(input.row);
    if (readable.kind !== 'ok') {
      const uri = artifactUri(input.row.id, input.row.version);
      return { kind: 'lost', input, uri, message: readable.message };
    }
    frames.push({ name, path: readable.path });
    digests[name] = readDigest(input.row) ?? '';
  }
  return { kind: 'frames', frames, digests };
}

/**
 * The value of each name the cell binds. @throws SqlError naming a placeholder without a value, or with one
 * of an unsupported type
 */
export async function bindInputs(
  store: ArtifactStore,
  names: readonly string[],
  inputs: readonly StepInput[],
): Promise<BoundInputs> {
  const values = new Map<string, BindValue>();
  const digests: Record<string, string> = {};
  for (const name of new Set(names)) {
    const input = inputs.find(({ variable }) => variable === name);
    if (input === undefined || input.row === null) {
      throw new SqlError(`:${name} has no value: no cell above this one defines \`${name}\`.`);
    }
    if (input.variant !== null) {
      throw new SqlError(
        `:${name} has one value per variant, but a placeholder takes a single value. Choose one in a Python cell.`,
      );
    }
    const readable = await store.readable(input.row);
    if (readable.kind !== 'ok') {
      const uri = artifactUri(input.row.id, input.row.version);
      return { kind: 'lost', input, uri, message: readable.message };
    }
    // Arrow is loaded by the first cell that binds a value, not by every server.
    const { readBind } = await import('../../sql/readBind.ts');
    values.set(name, readBind(name, { contentType: input.row.contentType, path: readable.path }));
    digests[name] = readDigest(input.row) ?? '';
  }
  return { kind: 'bound', values, digests };
}
