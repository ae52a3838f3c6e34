/** The notebook that a soundness test changes, with its current sources, and what plain Python prints for them. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlainCell, PlainInterpreter } from '../plain/plainInterpreter.ts';
import type { Row, Step } from '../rows/row.ts';
import { cellId, putFile, type Session } from './slot.ts';

/** An open notebook with its current sources, variables and mounts. */
export interface NotebookUnderTest {
  session: Session;
  readonly sources: string[];
  env: Readonly<Record<string, string>>;
  mounts: Readonly<Record<string, string>>;
}

/** The part of notebook.toml before its cells. */
export function tomlOf(env: Row['env'], mounts: Row['mounts']): string {
  return [
    ...(Object.keys(env ?? {}).length === 0 ? [] : ['[env]']),
    ...Object.entries(env ?? {}).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ...Object.entries(mounts ?? {}).map(
      ([name, path]) => `[[mounts]]\nname = "${name}"\nuri = "file://./${path}"\nmode = "ro"`,
    ),
  ].join('\n');
}

/** What a plain interpreter prints for the current sources and files. */
export function expectedFrom(
  { session, sources, env, mounts }: NotebookUnderTest,
  plain: PlainInterpreter,
): Promise<readonly PlainCell[]> {
  return plain.run({ dir: session.dir, cells: sources, env, mounts });
}

export type Change = Exclude<
  Step,
  { readonly rerun: number } | { readonly force: number } | { readonly runOnly: number }
>;

/**
 * Makes a change that runs nothing.
 * @returns whether the server knows of the change; what other programs write counts only from the next run on
 */
export async function change(notebook: NotebookUnderTest, step: Change): Promise<boolean> {
  const { session, sources } = notebook;
  if (step === 'reopen') {
    notebook.session = await session.reopened();
    return true;
  }
  if ('edit' in step) {
    const [cell, source] = step.edit;
    sources[cell] = source;
    await session.edit(cell, source);
    return true;
  }
  if ('editFile' in step) {
    const [cell, source] = step.editFile;
    sources[cell] = source;
    await putFile(session.dir, `cells/${cellId(cell)}.py`, source);
    return false;
  }
  if ('file' in step) {
    await putFile(session.dir, ...step.file);
    return false;
  }
  if ('writeOnly' in step) {
    await putFile(session.dir, ...step.writeOnly);
    return false;
  }
  if ('remove' in step) {
    await rm(join(session.dir, step.remove), { recursive: true, force: true });
    return false;
  }
  if ('env' in step) {
    notebook.env = step.env;
    await session.call('PUT', '/env', { env: step.env });
    return true;
  }
  notebook.mounts = step.mounts;
  const mounts = Object.entries(step.mounts).map(([name, path]) => ({ name, uri: `file://./${path}` }));
  await session.call('PUT', '/mounts', { mounts });
  return true;
}
