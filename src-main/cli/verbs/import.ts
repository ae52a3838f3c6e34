import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { command, UsageError } from '../arguments.ts';
import { SERVER_OPTIONS, serverUrl, tokenFor } from '../target/target.ts';

/** `svc import F [--out DIR] [--check-deps] [--server URL]`: a notebook of a .ipynb or a snapshot (semantics 16). */
export const importFile = command({
  usage: 'FILE.ipynb|FILE.zip',
  options: {
    out: { type: 'string', takes: 'DIR', says: 'The folder to make; else called as the file is.' },
    'check-deps': {
      type: 'boolean',
      default: false,
      says: 'Make the environment, too; exit code 1 where it cannot be.',
    },
    'allow-builds': {
      type: 'boolean',
      default: false,
      says: 'Let its packages be built and come from addresses, which runs their code; else wheels of the index alone.',
    },
    ...SERVER_OPTIONS,
    session: {
      type: 'string',
      takes: 'ID',
      says: 'Beside this open notebook of the server, not in its storage folder.',
    },
  },
  async run({ values, positionals }) {
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('svc import takes one .ipynb or .zip');
    if (!/\.(ipynb|zip)$/i.test(file)) throw new UsageError(`${file} is neither a .ipynb nor a .zip`);
    const from = resolve(file);
    if (!existsSync(from)) throw new UsageError(`There is no file ${from}`);
    const stem = basename(from)
      .replace(/\.(ipynb|zip)$/i, '')
      .replace(/\.snapshot$/i, '');
    if (values.server === undefined && values.session !== undefined)
      throw new UsageError('--session is of a running server: --server URL says which');
    if (values.server !== undefined && values['allow-builds'])
      throw new UsageError(
        '--allow-builds is for an import on this machine; a server is asked by its own route',
      );
    if (values.server !== undefined) {
      const { importOnServer } = await import('./importOnServer.ts');
      return importOnServer({
        ...{ file: from, out: values.out ?? null, session: values.session ?? null },
        ...{
          url: serverUrl(values.server),
          token: await tokenFor(serverUrl(values.server), values['token-file']),
        },
        checkDeps: values['check-deps'],
      });
    }
    const place = resolve(values.out ?? stem);
    const name = values.out === undefined ? stem : basename(place);
    const { importHere } = await import('./importHere.ts');
    return importHere({
      ...{ file: from, parentDir: dirname(place), name },
      ...{ checkDeps: values['check-deps'], allowsBuilds: values['allow-builds'] },
      ...(values.out === undefined ? {} : { folder: basename(place) }),
    });
  },
});
