/** Checks that the desktop tests named in the table of requirements of docs/desktop.md exist. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

const FOLDER = join(PROJECT_ROOT, 'e2e/desktop');
/** Every text of the table of docs/desktop.md that is formatted as the name of a test (`file: *name*, *name*; …`). */
function namedTests(): readonly { readonly file: string; readonly name: string }[] {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/desktop.md'), 'utf8');
  const rows = page.split('### Requirements and their tests')[1]?.split('\n## ')[0]?.split('\n') ?? [];
  const cells = rows.filter((line) => line.startsWith('| ')).map((line) => line.split(' | ').at(-1) ?? '');
  return cells.flatMap((cell) =>
    [...cell.matchAll(/(?:^|; )(\w+): ((?:\*[^*]+\*(?:, )?)+)/g)].flatMap(([, file = '', names = '']) =>
      [...names.matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => ({ file, name })),
    ),
  );
}

it('[AR-11] every test of the packaged app that docs/desktop.md names exists', () => {
  const files = new Set(readdirSync(FOLDER));
  const missing = namedTests().filter(({ file, name }) => {
    if (!files.has(`${file}.spec.ts`)) return true;
    const begin = name.replace(/…$/, '');
    return !readFileSync(join(FOLDER, `${file}.spec.ts`), 'utf8').includes(`] ${begin}`);
  });
  expect(missing).toEqual([]);
  expect(namedTests().length).toBeGreaterThan(18);
});
