/** Writes a cell's settings as TOML text and reads them back, for the history of settings. */

import { stringify } from 'smol-toml';
import type { Mount } from '../../src-shared/wire/cell.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { mountTable, type SettingsEdit } from './edits/notebookEdits.ts';
import { type CellEntry, parseDocument, readMounts } from './file/notebookFile.ts';
import { isSecretName } from './file/saveRules.ts';
import { maskMounts, unmaskMounts } from './stored/mountSecrets.ts';
import { NotebookFileError } from './toml/notebookFileError.ts';
import { readerOf } from './toml/tomlReader.ts';

type OwnSettings = Pick<CellEntry, 'worker' | 'timeout' | 'env' | 'mounts'>;

/**
 * A cell's own settings in the form of its block in notebook.toml, secrets blank or masked; empty without
 * any.
 */
export function settingsTextOf({ worker, timeout, env, mounts }: OwnSettings): string {
  const variables = Object.entries(env).map(([key, value]) => [key, isSecretName(key) ? '' : value]);
  const table = {
    ...(worker === null ? {} : { worker }),
    ...(timeout === null ? {} : { timeout }),
    ...(variables.length === 0 ? {} : { env: Object.fromEntries(variables) }),
    ...(mounts.length === 0 ? {} : { mounts: maskMounts(mounts).map(mountTable) }),
  };
  return Object.keys(table).length === 0 ? '' : `${stringify(table).trim()}\n`;
}

/**
 * The settings in such a text: absent ones are removed. A blank or masked secret is a placeholder and keeps the cell's
 * value in `now`.
 * @throws AppError bad_request for an invalid text
 */
export function settingsOf(text: string, now: Pick<OwnSettings, 'env' | 'mounts'>): Required<OwnEdit> {
  try {
    return read(text, now);
  } catch (error) {
    if (!(error instanceof NotebookFileError)) throw error;
    throw new AppError('bad_request', `These settings cannot be used: ${error.problem}.`);
  }
}

function read(text: string, now: Pick<OwnSettings, 'env' | 'mounts'>): Required<OwnEdit> {
  const table = readerOf(parseDocument(text), text);
  const mounts: readonly Mount[] = unmaskMounts(readMounts(table), { now: now.mounts });
  const env = Object.entries(table.texts('env')).map(([key, value]) => [
    key,
    value === '' && isSecretName(key) ? (now.env[key] ?? '') : value,
  ]);
  return {
    worker: table.text('worker'),
    timeout: table.number('timeout'),
    env: env.length === 0 ? null : Object.fromEntries(env),
    mounts,
  };
}

type OwnEdit = Pick<SettingsEdit, 'worker' | 'timeout' | 'env' | 'mounts'>;
