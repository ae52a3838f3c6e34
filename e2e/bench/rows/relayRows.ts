/** Benchmark rows of the relay: its extra latency, its throughput in both directions, and cancels under load. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT_ROOT } from '../../support/serverProcess.ts';
import { startSvc } from '../../support/svcProcess.ts';
import { type Group, median, repeat, timed } from '../row.ts';

const CONNECT = 'a-connect-token-of-the-bench';
const BLOCK = Buffer.alloc(1024 * 1024, 'y');
/** The size of a throughput measurement, in MiB. */
const BULK = 256;
/** The number of streams that run while cells are cancelled, half of them up and half down. */
const LOAD = 8;

/** Client, relay and worker are three processes; the worker's app only counts and sends bytes. */
export const relayRows: Group = {
  title: 'relay',
  async run(record, { smoke }) {
    const relay = startSvc(['relay', '--port', '0'], { SVC_RELAY_WORKERS: `lab=${CONNECT}` });
    const port = Number(/127\.0\.0\.1:(\d+):/.exec(await relay.firstLine)?.[1]);
    const { app, direct } = await startApp(port);
    try {
      const through = `http://127.0.0.1:${port}/w/lab`;
      const times = smoke ? 60 : 400;
      const agent = new Agent({ keepAlive: true });
      const look = (base: string) => repeat(times, () => call({ agent, url: `${base}/health` }));
      await look(through);
      const without = median(await look(direct));
      record(
        'relay extra latency',
        (await look(through)).map((ms) => ms - without),
      );

      const rounds = smoke ? 1 : 5;
      const up = () => call({ agent, url: `${through}/v1/execute`, up: BULK });
      const down = () => call({ agent, url: `${through}/v1/notebook-execute`, down: BULK });
      record('relay inputs 256 MiB', await repeat(rounds, up));
      record('relay results 256 MiB', await repeat(rounds, down));

      const stop = new AbortController();
      const load = Array.from({ length: LOAD }, async (_, i) => {
        while (!stop.signal.aborted) await (i % 2 === 0 ? up() : down());
      });
      const cancels: number[] = [];
      for (let i = 0; i < (smoke ? 8 : 100); i += 1) {
        const url = `${through}/v1/executions/notebook-${i}/cancel`;
        cancels.push(await timed(() => call({ agent, url, up: 0 })));
      }
      stop.abort();
      await Promise.all(load);
      record('relay cancel under load', cancels);
      agent.destroy();
    } finally {
      app.kill('SIGKILL');
      await relay.stop('SIGKILL');
    }
  },
};

async function startApp(port: number): Promise<{ readonly app: ChildProcess; readonly direct: string }> {
  const app = spawn(
    process.execPath,
    [join(PROJECT_ROOT, 'e2e/bench/relayedApp.ts'), `ws://127.0.0.1:${port}/connect/lab`],
    {
      env: { ...process.env, SVC_WORKER_CONNECT_TOKEN: CONNECT },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const connected = new Promise<void>((resolve, reject) => {
    let output = '';
    app.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('connected to the relay')) resolve();
    });
    app.once('exit', () => reject(new Error(`the app behind the relay ended: ${output}`)));
  });
  const [line] = await once(createInterface(app.stdout), 'line');
  await connected;
  return { app, direct: `http://127.0.0.1:${String(line)}` };
}

/** Sends one request, and reads and counts the answer. `up` and `down` are in MiB. */
async function call({
  agent,
  url,
  up,
  down = 0,
}: {
  readonly agent: Agent;
  readonly url: string;
  readonly up?: number;
  readonly down?: number;
}): Promise<void> {
  const method = up === undefined && down === 0 ? 'GET' : 'POST';
  const length = (up ?? 0) * BLOCK.length;
  const request = send(url, { agent, method, headers: { 'content-length': length, 'x-mib': down } });
  const answered = once(request, 'response');
  for (let i = 0; i < (up ?? 0); i += 1) if (!request.write(BLOCK)) await once(request, 'drain');
  request.end();
  const [answer] = await answered;
  let bytes = 0;
  let text = '';
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes < 100) text += piece.toString();
  }
  const expectedBytes = down === 0 ? String(length) : String(down * BLOCK.length);
  const actualBytes = down === 0 ? text : String(bytes);
  if (actualBytes !== expectedBytes)
    throw new Error(`${url} carried ${actualBytes} of ${expectedBytes} bytes`);
}
