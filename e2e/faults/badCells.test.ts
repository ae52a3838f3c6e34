/**
 * Tests Python cells that misbehave (crash, flood, ignore signals, damage files), damaged results and kill -9, on a
 * real server: each is reported, and the next cell still runs.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { IS_LONG, longTest } from '../support/longRun.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-faults-'));
  server = await startServerProcess({ grants: [root] });
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const AFTER = { id: 'after001', source: 'print("still here")' };

/** Cells that misbehave, with their status and message; the next cell must run as usual. */
const CELLS: readonly {
  readonly name: string;
  readonly source: string;
  readonly status: 'ready' | 'error';
  readonly says: RegExp;
  readonly where?: 'error' | 'stdout' | 'stderr';
}[] = [
  {
    name: 'ends its own process',
    source: 'import os\nprint("bye")\nos._exit(3)',
    status: 'error',
    says: /3/,
  },
  {
    name: 'forks and leaves the child running',
    source: 'import os\nif os.fork() == 0:\n    raise SystemExit\nos.wait()\nprint("parent")',
    status: 'ready',
    says: /parent/,
    where: 'stdout',
  },
  {
    name: 'closes stdout',
    source: 'import os, sys\nos.close(1)\nsys.stdout = None\n1',
    status: 'ready',
    says: /^$/,
    where: 'stderr',
  },
  {
    name: 'exceeds its memory limit',
    source: 'import resource\nresource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\nhog = bytearray(2**31)',
    status: 'error',
    says: /Memory/,
  },
  { name: 'asks for input', source: 'name = input("who? ")', status: 'error', says: /input/ },
  {
    name: 'kills itself',
    source: 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)',
    status: 'error',
    says: /9|SIGKILL/,
  },
  { name: 'has a syntax error', source: 'def (:', status: 'error', says: /SyntaxError/ },
  {
    name: 'recurses forever',
    source: 'def f():\n    return f()\nf()',
    status: 'error',
    says: /RecursionError/,
  },
  {
    name: 'takes too long',
    source: '# @timeout 0.5\nimport time\ntime.sleep(30)',
    status: 'error',
    says: /0\.5 s|timed out/i,
  },
  {
    name: 'leaves a daemon that holds its pipes',
    source: `import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)"])
    os._exit(0)
os.wait()
print("done")`,
    status: 'ready',
    says: /^done$/m,
    where: 'stdout',
  },
  {
    name: 'prints NULs and invalid UTF-8',
    source: 'import sys\nsys.stdout.buffer.write(b"\\x00a\\xff\\xc3")',
    status: 'ready',
    says: /^\0a\ufffd\ufffd$/,
    where: 'stdout',
  },
  {
    name: 'closes every descriptor',
    source: 'import os\nos.closerange(0, 1000)',
    status: 'ready',
    says: /^$/,
    where: 'stderr',
  },
  {
    name: 'writes nonsense to every descriptor',
    source:
      'import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, b"\\x00{}\\n")\n    except OSError:\n        pass\nprint("done")',
    status: 'ready',
    says: /^done$/m,
    where: 'stdout',
  },
  {
    name: 'suspends itself',
    source: '# @timeout 1\nimport os, signal\nos.kill(os.getpid(), signal.SIGSTOP)',
    status: 'error',
    says: /limit of 1 s/,
  },
  {
    name: 'deletes the folder for its results',
    source: 'import glob, shutil\nfor path in glob.glob(".svc/tmp/run-*"):\n    shutil.rmtree(path)',
    status: 'error',
    says: /could not be written/,
  },
  {
    name: 'deletes .svc',
    source: 'import shutil\nshutil.rmtree(".svc")',
    status: 'error',
    says: /could not be written/,
  },
  {
    name: 'deletes the stored results',
    source: 'import shutil\nshutil.rmtree(".svc/artifacts")\nprint("gone")',
    status: 'ready',
    says: /gone/,
    where: 'stdout',
  },
  {
    name: 'forges a result that names a file elsewhere',
    source: `import glob, json, os
folder = glob.glob(".svc/tmp/run-*")[0]
shown = {"content_type": "text/markdown", "file": "../../x", "bytes": 1, "preview": None}
result = {"success": True, "variables": {}, "displays": [shown], "mutation_warnings": [], "stdout": "", "stderr": "", "build_env": ""}
json.dump(result, open(folder + "/harness-result.json", "w"))
os._exit(0)`,
    status: 'error',
    says: /outside its folder/,
  },
  {
    name: 'leaves a link as a result',
    source: `import glob, json, os
folder = glob.glob(".svc/tmp/run-*")[0]
os.symlink("/etc/hostname", folder + "/shown")
shown = {"content_type": "text/markdown", "file": "shown", "bytes": 1, "preview": None}
result = {"success": True, "variables": {}, "displays": [shown], "mutation_warnings": [], "stdout": "", "stderr": "", "build_env": ""}
json.dump(result, open(folder + "/harness-result.json", "w"))
os._exit(0)`,
    status: 'error',
    says: /not a plain file/,
  },
  {
    name: 'leaves a huge file beside its results',
    source:
      'import glob\nopen(glob.glob(".svc/tmp/run-*")[0] + "/huge", "wb").truncate(2**36)\nprint("done")',
    status: 'ready',
    says: /done/,
    where: 'stdout',
  },
  {
    name: 'displays hundreds of values',
    source: `for n in range(${IS_LONG ? 2_000 : 300}):\n    display(n)\nprint("done")`,
    status: 'ready',
    says: /done/,
    where: 'stdout',
  },
  {
    name: 'leaves a pipe in place of its result',
    source:
      'import os, sys, glob\nfor d in glob.glob(".svc/tmp/run-*"):\n    os.mkfifo(d + "/harness-result.json")\nsys.stdout.flush()\nos._exit(0)',
    status: 'error',
    says: /is not a regular file/,
  },
  {
    name: 'fails with a message of ten megabytes',
    source: 'raise ValueError("x" * 10_000_000)',
    status: 'error',
    says: /characters left out/,
  },
  {
    name: 'imports a missing package',
    source: 'import surely_not_there',
    status: 'error',
    says: /surely_not_there/,
  },
];

/** Processes whose command line contains the marker. */
function processesOf(marker: string): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return line.includes(marker) ? [`${pid} ${line.replaceAll('\0', ' ')}`] : [];
      } catch {
        // The process has ended since the folder was listed.
        return [];
      }
    });
}

/** The records of current runs as one text, without the temporary file of a record that is being written. */
function runningRecords(dir: string): string {
  const folder = join(dir, '.svc/running');
  if (!existsSync(folder)) return '';
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

describe('cells that misbehave', () => {
  for (const [i, { name, source, status, says, where = 'error' }] of CELLS.entries()) {
    it(`[EX-20] a cell that ${name}`, async () => {
      const notebook = await openNotebook(server, join(root, `cell${i}`), [
        { id: 'bad00001', source },
        AFTER,
      ]);
      const result = await notebook.execute('bad00001');
      expect(result.status, JSON.stringify(result)).toBe(status);
      const text = where === 'error' ? `${result.error}\n${result.traceback}` : result[where];
      expect(text).toMatch(says);
      expect((await notebook.execute('after001')).stdout).toBe('still here\n');
    });
  }

  it('[EX-21] of 200 MB of output the tail is stored, and the server’s memory stays small', async () => {
    const notebook = await openNotebook(server, join(root, 'flood'), [
      { id: 'flood001', source: 'for _ in range(200):\n    print("x" * 999_999)\nprint("the end")' },
      AFTER,
    ]);
    const result = await notebook.execute('flood001');
    expect(result.status).toBe('ready');
    expect(result.stdout.endsWith('the end\n')).toBe(true);
    expect(result.stdout.length).toBeLessThan(4_000_000);
    const rss = Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))?.[1]);
    expect(rss / 1024).toBeLessThan(600);
    expect((await notebook.execute('after001')).stdout).toBe('still here\n');
  });

  // The cell is killed after a grace period, which src-main/exec/local/faults.test.ts sets.
  longTest('src-main/exec/local/faults.test.ts')(
    '[EX-22] a cell that ignores SIGINT and SIGTERM is stopped by a cancel',
    async () => {
      const notebook = await openNotebook(server, join(root, 'deaf'), [
        {
          id: 'deaf0001',
          source:
            'import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint("deaf", flush=True)\ntime.sleep(600)',
        },
        AFTER,
      ]);
      const live = await connectLive(server.url, notebook.sid);
      live.send('cell_execute', { cell_id: 'deaf0001' });
      await live.next('cell_console', { where: (p) => p.text.includes('deaf') });
      const since = live.mark();
      const idleStatus = live.next('cell_status', {
        since,
        where: (p) => p.cell_id === 'deaf0001' && p.status === 'idle',
      });
      live.send('cell_cancel', { cell_id: 'deaf0001' });
      await idleStatus;
      expect((await notebook.execute('after001')).stdout).toBe('still here\n');
      await live.close();
    },
  );

  it('[EX-27] a stopped cell finishes its cleanup, and is shown as stopped', async () => {
    const dir = join(root, 'tidy');
    const notebook = await openNotebook(server, dir, [
      {
        id: 'tidy0001',
        source:
          'import time\ntry:\n    print("go", flush=True)\n    time.sleep(600)\nfinally:\n    time.sleep(1.5)\n    open("saved.txt", "w").write("ok")',
      },
    ]);
    const live = await connectLive(server.url, notebook.sid);
    live.send('cell_execute', { cell_id: 'tidy0001' });
    await live.next('cell_console', { where: (p) => p.text.includes('go') });
    const since = live.mark();
    live.send('cell_cancel', { cell_id: 'tidy0001' });
    live.send('cell_cancel', { cell_id: 'tidy0001' });
    const status = await live.next('cell_status', { since, where: (p) => p.status === 'idle' });
    expect(status.payload.stopped_ms).toBeGreaterThan(1_000);
    expect(await readFile(join(notebook.path, 'saved.txt'), 'utf8')).toBe('ok');
    await live.close();
  });

  it('[EX-23] killing the warm interpreter during a run fails the run with a message, and the next one works', async () => {
    const notebook = await openNotebook(server, join(root, 'template'), [
      { id: 'long0001', source: 'import os, time\nprint(os.getppid(), flush=True)\ntime.sleep(60)' },
      AFTER,
    ]);
    // Only the parent of a warm run is the template; the parent of a cold run is the server.
    await expect
      .poll(async () => (await notebook.execute('after001', 'rerun')).execution_method)
      .toBe('warm');
    const live = await connectLive(server.url, notebook.sid);
    live.send('cell_execute', { cell_id: 'long0001' });
    const line = await live.next('cell_console', { where: (p) => p.cell_id === 'long0001' });
    process.kill(Number(line.payload.text.trim()), 'SIGKILL');
    const failed = await live.next('cell_error', { where: (p) => p.cell_id === 'long0001' });
    expect(failed.payload.error).toMatch(/\S/);
    expect((await notebook.execute('after001')).stdout).toBe('still here\n');
    await live.close();
  });
});

describe('variables named like JavaScript properties', () => {
  it('[VA-20] constructor, toString and valueOf are stored and read like any other variable', async () => {
    const dir = join(root, 'names');
    const notebook = await openNotebook(server, dir, [
      {
        id: 'constructor',
        source: 'constructor = 1\ntoString = [2]\nvalueOf = {"hasOwnProperty": 3}\nhasOwnProperty = 4',
      },
      { id: 'toString', source: 'print(constructor, toString, valueOf, hasOwnProperty)' },
    ]);
    expect((await notebook.execute('toString')).stdout).toBe("1 [2] {'hasOwnProperty': 3} 4\n");
    await notebook.close();
    const again = await openNotebook(server, dir);
    expect(await again.execute('toString')).toMatchObject({
      cache_hit: true,
      stdout: "1 [2] {'hasOwnProperty': 3} 4\n",
    });
  });
});

describe('damaged results', () => {
  const damage: readonly { readonly name: string; readonly harm: (bytes: Buffer) => Buffer }[] = [
    { name: 'truncated', harm: (bytes) => bytes.subarray(0, bytes.length >> 1) },
    {
      name: 'bit-flipped',
      harm: (bytes) => {
        const copy = Buffer.from(bytes);
        copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 1;
        return copy;
      },
    },
  ];
  for (const { name, harm } of damage) {
    it(`[AS-20] a ${name} blob is quarantined and computed again`, async () => {
      const dir = join(root, `blob-${name}`);
      const first = await openNotebook(server, dir, [
        { id: 'make0001', source: 'values = list(range(5000))' },
        { id: 'read0001', source: 'print(sum(values))' },
      ]);
      expect((await first.execute('read0001')).stdout).toBe('12497500\n');
      await first.close();
      const blobs = join(dir, '.svc/artifacts/blobs');
      for (const file of await readdir(blobs)) {
        const bytes = await readFile(join(blobs, file));
        if (bytes.length > 10_000) await writeFile(join(blobs, file), harm(bytes));
      }
      const again = await openNotebook(server, dir);
      await again.edit('read0001', 'print(sum(values) + 1)');
      expect((await again.execute('read0001')).stdout).toBe('12497501\n');
      expect((await again.cell('make0001')).status).toBe('ready');
    });
  }
});

describe('kill -9 of the server during a run', () => {
  it('[CR-2] leaves no orphan process, and the notebook opens and runs again', async () => {
    const own = await startServerProcess({ grants: [root] });
    const dir = join(root, 'killed');
    const marker = `marker-${process.pid}-${Date.now()}`;
    const notebook = await openNotebook(own, dir, [
      { id: 'keep0001', source: 'kept = 41' },
      {
        id: 'long0001',
        source: `import subprocess, sys, time\nchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "${marker}"])\nprint(kept, flush=True)\ntime.sleep(600)`,
      },
    ]);
    await notebook.execute('keep0001');
    const live = await connectLive(own.url, notebook.sid);
    live.send('cell_execute', { cell_id: 'long0001' });
    await live.next('cell_console');
    // A process that has just been forked does not have its own arguments yet.
    await expect.poll(() => processesOf(marker)).toHaveLength(1);
    await own.stop('SIGKILL');
    await expect.poll(() => processesOf(marker)).toEqual([]);
    const again = await openNotebook(server, dir);
    expect((await again.cell('keep0001')).status).toBe('ready');
    expect((await again.execute('keep0001')).cache_hit).toBe(true);
    await own.dispose();
  });

  it('[CR-5] keeps the printed output, which is marked as incomplete after the restart', async () => {
    const own = await startServerProcess({ grants: [root] });
    const dir = join(root, 'printed');
    const long = 'x'.repeat(30_000);
    const notebook = await openNotebook(own, dir, [
      {
        id: 'both0001',
        source: `import sys, time\nprint("begun", "${long}", flush=True)\nprint("oh", file=sys.stderr, flush=True)\ntime.sleep(600)`,
      },
      { id: 'done0001', source: 'print("done")' },
    ]);
    await notebook.execute('done0001');
    const live = await connectLive(own.url, notebook.sid);
    live.send('cell_execute', { cell_id: 'both0001' });
    await live.next('cell_console');
    // An earlier record may have the text of only one stream.
    await expect.poll(() => runningRecords(dir)).toMatch(/xxx.*oh/);
    await own.stop('SIGKILL');
    for (const _ of ['after the kill', 'after that']) {
      const { cell, sid, close } = await openNotebook(server, dir);
      const { console_stdout: stdout, console_stderr: stderr, status } = await cell('both0001');
      expect(status).toBe('idle');
      expect(stdout).toContain('xxx');
      expect(stderr).toMatch(/^oh\n\[… the server stopped during this run; .* …\]\n$/);
      const log = await fetch(`${server.url}/v1/notebooks/${sid}/x/cells/both0001/log?stream=stdout`);
      expect((await log.text()) === `begun ${long}\n`).toBe(true);
      expect((await cell('done0001')).console_stdout).toBe('done\n');
      expect(await readdir(join(dir, '.svc')).then((names) => names.includes('running'))).toBe(false);
      expect((await close()).status).toBe(200);
    }
    await own.dispose();
  });
});
