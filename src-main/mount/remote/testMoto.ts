import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** moto's S3 server on a free port of this machine, in a process of its own. */
export interface MotoServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const PROGRAM = `
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
`;

/** @param python with `harness/python/requirements-services.txt` installed */
export async function startMoto(python: string): Promise<MotoServer> {
  const child = spawn(python, ['-I', '-c', PROGRAM], { stdio: ['pipe', 'pipe', 'ignore'] });
  const port = await firstLine(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? -1,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        // It ends with its input; one that hangs ends with its process.
        child.stdin?.end();
        setTimeout(() => child.kill('SIGKILL'), 2_000).unref();
      }),
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) return reject(new Error('moto has no output'));
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`moto ended (${code}) before it listened`)));
  });
}
