import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { watchFolder } from './folderWatch.ts';

let root: string;
let dir: NotebookFolder;
let events: string[];
let stop: () => void;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cellar-watch-'));
  dir = notebookFolder(join(root, 'it'));
  mkdirSync(join(dir, 'cells'), { recursive: true });
  writeFileSync(join(dir, 'notebook.toml'), 'name = "it"\n');
  events = [];
  stop = watchFolder(dir, { onChange: () => events.push('change'), onGone: () => events.push('gone') });
});
afterEach(() => {
  stop();
  rmSync(root, { recursive: true, force: true });
});
const until = (words: string[]) => expect.poll(() => events).toEqual(words);

it('[NF-44] a removed folder is reported as missing, and as present when it is put back', async () => {
  renameSync(dir, join(root, 'away'));
  await until(['gone']);
  renameSync(join(root, 'away'), dir);
  await until(['gone', 'change']);
});

it('[NF-44] a folder that a pending write created again is not the notebook', async () => {
  renameSync(dir, join(root, 'away'));
  mkdirSync(join(dir, '.svc'), { recursive: true });
  await until(['gone']);
  writeFileSync(join(dir, 'notebook.toml'), 'name = "another"\n');
  await until(['gone', 'change']);
});
