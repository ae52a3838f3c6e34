/** The command `svc new NAME`: creates a notebook folder and, without `--no-env`, its Python environment. */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { ConfigError } from '../../config/configError.ts';
import { defineCommand, formatOf, HUMAN_FORMAT, UsageError } from '../arguments.ts';

/** `svc new NAME`: creates a notebook folder; an existing one is left unchanged (docs/spec/command-line.md, 2). */
export const newNotebook = defineCommand({
  usage: 'NAME',
  options: {
    parent: { type: 'string', takes: 'DIR', says: 'Parent folder. Default: the current folder.' },
    python: { type: 'string', takes: 'X.Y', says: 'Python version. Default: the newest available.' },
    'no-env': { type: 'boolean', default: false, says: 'Do not create the environment yet.' },
    format: HUMAN_FORMAT,
  },
  async run({ values, positionals }) {
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new UsageError('svc new takes one name');
    const format = formatOf(values.format);
    const parentDir = resolve(values.parent ?? '.');
    await mkdir(parentDir, { recursive: true });
    const version = values.python ?? null;
    if (version !== null && !/^3\.\d+$/.test(version))
      throw new UsageError(`--python must be X.Y, not ${version}`);
    // Not for help and wrong usage [AR-63].
    const { createNotebook } = await import('../../notebook/createNotebook.ts');
    try {
      const created = await createNotebook({
        parentDir,
        name,
        pythonVersion: version ?? (await newestPython()),
        starterCell: true,
      });
      if (created.kind === 'refused') throw new UsageError(created.message);
      if (created.kind === 'exists' && !existsSync(join(created.dir, 'notebook.toml'))) {
        throw new UsageError(`${created.message} It is not a notebook. Use another name or folder.`);
      }
      const initialized = values['no-env'] ? false : await makeEnvironment(created.dir);
      const report = { notebook_dir: created.dir, name, environment_initialized: initialized };
      process.stdout.write(format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : `${created.dir}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof ConfigError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 2;
    }
  },
});

async function newestPython(): Promise<string> {
  const { findPythons } = await import('../../environment/uv/findPythons.ts');
  return (await findPythons())[0]?.minor ?? '3.12';
}

/** Opens the notebook until its first sync has ended. */
export async function makeEnvironment(dir: string): Promise<boolean> {
  const { composeApp } = await import('../composeApp.ts');
  const app = await composeApp({ grants: [dir] });
  try {
    const session = await app.sessions.open(dir);
    const state = () => session.views.notebook.body().environment.sync_state;
    await new Promise<void>((ready) => {
      session.attach({ send: () => state() !== 'pending' && ready(), closed: () => ready() });
      if (state() !== 'pending') ready();
    });
    if (state() !== 'ready')
      process.stderr.write(
        `svc: ${session.views.notebook.body().environment.sync_error ?? 'no environment'}\n`,
      );
    return state() === 'ready';
  } finally {
    await app.close();
  }
}
