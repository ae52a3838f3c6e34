import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { venvDir, venvPython } from '../../environment/venv/venv.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { createBytecodeWork } from './bytecodeWork.ts';

const dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-bytecode-')));
afterAll(() => rm(dir, { recursive: true, force: true }));

test.skipIf(process.platform === 'win32')(
  '[SO-236] stopped bytecode work ends before the next starts, and work still in the queue does nothing',
  async () => {
    const python = venvPython(venvDir(dir));
    await mkdir(dirname(python), { recursive: true });
    // Reports that it has started, and ends on request.
    await writeFile(python, `#!/bin/sh\necho begun >> ${dir}/log\nexec sleep 60\n`);
    await chmod(python, 0o755);
    const log = () => readFile(join(dir, 'log'), 'utf8').catch(() => '');
    const tasks: ((signal: AbortSignal) => Promise<void>)[] = [];
    const bytecode = createBytecodeWork(dir, (work) => tasks.push(work));
    const never = new AbortController().signal;
    bytecode.begin();
    bytecode.begin();
    let isOver = false;
    const first = tasks[0]?.(never).then(() => {
      isOver = true;
    });
    await expect.poll(log).toBe('begun\n');
    await bytecode.stop();
    await first;
    expect(isOver).toBe(true);
    await tasks[1]?.(never);
    expect(await log()).toBe('begun\n');
  },
);
