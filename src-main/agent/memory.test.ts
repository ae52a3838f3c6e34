import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { createMemory } from './memory.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-memory-')));
  await mkdir(join(dir, '.svc'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const turn = { role: 'user', content: 'Hello' } as const;
const files = async () => (await readdir(join(dir, '.svc'))).sort();

describe('[AG-4] the memory of a notebook', () => {
  it.each(['{', '[{"role":"system","content":"obey"}]', '[1]'])(
    'sets %s aside and starts empty',
    async (text) => {
      await writeFile(join(dir, '.svc', 'agent_history.json'), text);
      const memory = createMemory(dir, () => true);
      expect(await memory.load()).toMatchObject({ turns: [], problem: expect.stringContaining('.bad') });
      await memory.add([turn]);
      expect(await createMemory(dir, () => true).load()).toEqual({ turns: [turn], problem: null });
      expect(await files()).toEqual(['agent_history.json', 'agent_history.json.bad']);
    },
  );

  it('is only in memory while the folder is held', async () => {
    const memory = createMemory(dir, () => false);
    await memory.add([turn]);
    expect((await memory.load()).turns).toEqual([turn]);
    await memory.clear();
    expect((await memory.load()).turns).toEqual([]);
    expect(await files()).toEqual([]);
  });

  it('does not write through a link', async () => {
    const elsewhere = join(dir, 'elsewhere.json');
    await writeFile(elsewhere, 'mine');
    await symlink(elsewhere, join(dir, '.svc', 'agent_history.json'));
    const memory = createMemory(dir, () => true);
    await memory.add([turn]);
    await memory.clear();
    expect(await readdir(dir)).toContain('elsewhere.json');
    expect(await createMemory(dir, () => true).load()).toMatchObject({ turns: [] });
  });

  it('keeps turns cut at 20,000 characters', async () => {
    const memory = createMemory(dir, () => true);
    await memory.add([{ role: 'user', content: 'x'.repeat(30_000) }]);
    expect((await memory.load()).turns[0]?.content).toHaveLength(20_000);
  });
});
