import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { sinceCommit } from './sinceCommit.ts';

let root = '';
const env = process.env;
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const hasGit = ((): boolean => {
  try {
    git('.', '--version');
    return true;
  } catch (_missing) {
    return false;
  }
})();

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellar-git-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A repository with a committed notebook in one of its folders. */
function repository(name: string, options: readonly string[] = []): string {
  const dir = join(root, name, 'work', 'notebook');
  mkdirSync(join(dir, 'cells'), { recursive: true });
  writeFileSync(join(dir, 'notebook.toml'), 'notebook_id = "n"\n');
  writeFileSync(join(dir, 'cells/a.py'), 'a = 1\n');
  writeFileSync(join(dir, 'cells/b.py'), 'b = 2\n');
  git(join(root, name), 'init', '--quiet', ...options);
  git(join(root, name), 'add', '.');
  git(join(root, name), 'commit', '--quiet', '-m', 'First: ä and "quotes"');
  return dir;
}

describe('since the last commit', () => {
  beforeEach((context) => context.skip(!hasGit, 'there is no git here'));

  it.each([['sha1'], ['sha256']])('[HI-40] nothing has changed (%s)', async (format) => {
    const dir = notebookFolder(repository(`same-${format}`, [`--object-format=${format}`]));
    expect(await sinceCommit(dir, { env })).toMatchObject({
      kind: 'commit',
      subject: 'First: ä and "quotes"',
      changes: [],
      truncated: false,
    });
  });

  it('[HI-40] changed, added and deleted files have both texts', async () => {
    const dir = notebookFolder(repository('changed'));
    writeFileSync(join(dir, 'cells/a.py'), 'a = 10\n');
    writeFileSync(join(dir, 'cells/c.py'), 'c = 3\n');
    writeFileSync(join(dir, 'data.csv'), 'not listed\n');
    rmSync(join(dir, 'cells/b.py'));
    const result = await sinceCommit(dir, { env });
    expect(result.kind === 'commit' && result.changes).toEqual([
      { path: 'cells/a.py', before: 'a = 1\n', after: 'a = 10\n' },
      { path: 'cells/b.py', before: 'b = 2\n', after: null },
      { path: 'cells/c.py', before: null, after: 'c = 3\n' },
    ]);
  });

  it('[HI-40] a long cell is compared, and a file that cannot be read is left out', async () => {
    const dir = notebookFolder(repository('long'));
    const long = 'x = 1  # long\n'.repeat(70_000);
    writeFileSync(join(dir, 'cells/a.py'), long);
    writeFileSync(join(dir, 'cells/b.py'), Buffer.alloc(9 * 1024 * 1024, 'y'));
    const result = await sinceCommit(dir, { env });
    expect(result.kind === 'commit' && result.changes).toEqual([
      { path: 'cells/a.py', before: 'a = 1\n', after: long },
    ]);
  });

  it('[HI-40] no repository, and one without a commit', async () => {
    const plain = notebookFolder(join(root, 'plain'));
    mkdirSync(plain);
    expect(await sinceCommit(plain, { env: { ...env, GIT_CEILING_DIRECTORIES: root } })).toEqual({
      kind: 'none',
    });
    git(plain, 'init', '--quiet');
    expect(await sinceCommit(plain, { env })).toEqual({ kind: 'none' });
  });

  it('[HI-41] no program that the repository names is started, and its index is not written', async () => {
    const dir = notebookFolder(repository('hostile'));
    const top = join(root, 'hostile');
    const trap = join(top, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch ${join(top, 'sprung')}\ncat\n`);
    chmodSync(trap, 0o755);
    for (const [name, value] of [
      ['core.fsmonitor', trap],
      ['core.hooksPath', top],
      ['core.pager', trap],
      ['core.sshCommand', trap],
      ['diff.external', trap],
      ['diff.trap.textconv', trap],
      ['filter.trap.smudge', trap],
      ['filter.trap.clean', trap],
      ['filter.trap.required', 'true'],
      ['log.showSignature', 'true'],
      ['gpg.program', trap],
      ['alias.log', `!${trap}`],
    ] as const)
      git(top, 'config', name, value);
    writeFileSync(join(top, '.git/info/attributes'), '* diff=trap filter=trap\n');
    rmSync(join(top, '.git/index'));
    writeFileSync(join(dir, 'cells/a.py'), 'a = 10\n');
    const result = await sinceCommit(dir, { env });
    expect(result.kind === 'commit' && result.changes.map(({ path }) => path)).toEqual(['cells/a.py']);
    expect(existsSync(join(top, 'sprung'))).toBe(false);
    expect(existsSync(join(top, '.git/index'))).toBe(false);
  });

  it('[HI-40] without git there is nothing to compare with', async () => {
    expect(await sinceCommit(notebookFolder(repository('nogit')), { env: { PATH: '/nowhere' } })).toEqual({
      kind: 'none',
    });
  });
});
