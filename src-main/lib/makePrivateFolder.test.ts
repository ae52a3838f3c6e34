import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivateFolder } from './makePrivateFolder.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-make-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const CASES: readonly {
  readonly what: string;
  readonly there?: string;
  readonly path: string;
  readonly made: boolean;
}[] = [
  { what: 'below an existing `.svc`', there: 'n/.svc', path: 'n/.svc/tmp/a', made: true },
  {
    what: '`.svc` itself and below, in an existing notebook',
    there: 'n',
    path: 'n/.svc/tmp',
    made: true,
  },
  { what: '`.svc` alone', there: 'n', path: 'n/.svc', made: true },
  { what: 'of a deleted notebook', path: 'n/.svc/tmp', made: false },
  {
    what: 'of a deleted notebook in the `.svc` of another one',
    there: 'n/.svc',
    path: 'n/.svc/m/.svc/tmp',
    made: false,
  },
  { what: 'elsewhere, with all its parents', path: 'a/b/c', made: true },
];

test.each(CASES)(
  '[NF-44] a folder is created unless its notebook is missing: $what',
  ({ there, path, made }) => {
    if (there !== undefined) mkdirSync(join(root, there), { recursive: true });
    const make = (): void => makePrivateFolder(join(root, path));
    if (made) make();
    else expect(make).toThrow('ENOENT');
    expect(existsSync(join(root, path))).toBe(made);
  },
);
