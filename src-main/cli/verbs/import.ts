/**
 * The command `svc import FILE`: makes a notebook from a .ipynb file or a snapshot, on this machine or on a running
 * server (docs/spec/command-line.md, 3).
 */

import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { defineCommand, UsageError } from '../arguments.ts';
import { SERVER_OPTIONS, serverUrl, tokenFor } from '../place/target.ts';

export const importFile = defineCommand({
  usage: 'FILE.ipynb|FILE.zip',
  options: {
    out: { type: 'string', takes: 'DIR', says: 'The folder to create. Default: the name of the file.' },
    'check-deps': {
      type: 'boolean',
      default: false,
      says: 'Also create the environment. Exit code 1 if that fails.',
    },
    'allow-builds': {
      type: 'boolean',
      default: false,
      says: 'Allow packages that are built from source or come from URLs, which can run their code. Default: only wheels of the index.',
    },
    ...SERVER_OPTIONS,
    session: {
      type: 'string',
      takes: 'ID',
      says: 'Create it next to this open notebook of the server instead of in its storage folder.',
    },
  },
  async run({ values, positionals }) {
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('svc import takes one .ipynb or .zip');
    if (!/\.(ipynb|zip)$/i.test(file)) throw new UsageError(`${file} is not an .ipynb or .zip file`);
    const from = resolve(file);
    if (!existsSync(from)) throw new UsageError(`There is no file ${from}`);
    const stem = basename(from)
      .replace(/\.(ipynb|zip)$/i, '')
      .replace(/\.snapshot$/i, '');
    if (values.server === undefined && values.session !== undefined)
      throw new UsageError('--session requires --server URL');
    if (values.server !== undefined && values['allow-builds'])
      throw new UsageError('--allow-builds works only for imports on this machine, not on a server');
    if (values.server !== undefined) {
      const { importOnServer } = await import('./importOnServer.ts');
      return importOnServer({
        file: from,
        out: values.out ?? null,
        session: values.session ?? null,
        url: serverUrl(values.server),
        token: await tokenFor(serverUrl(values.server), values['token-file']),
        checkDeps: values['check-deps'],
      });
    }
    const place = resolve(values.out ?? stem);
    const name = values.out === undefined ? stem : basename(place);
    const { importHere } = await import('./importHere.ts');
    return importHere({
      file: from,
      parentDir: dirname(place),
      name,
      checkDeps: values['check-deps'],
      allowsBuilds: values['allow-builds'],
      ...(values.out === undefined ? {} : { folder: basename(place) }),
    });
  },
});
