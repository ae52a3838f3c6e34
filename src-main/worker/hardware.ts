/** Reads the hardware that a worker reports: processors, memory and accelerators. */

import { readFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import type { WorkerHardware } from '../../src-shared/wire/worker/health.ts';
import { captureTool } from '../environment/uv/runTool.ts';

const QUERY_MS = 10_000;
const MIB = 1024 ** 2;

/** The hardware of this machine; values that cannot be read are left out. */
export async function readHardware(env: NodeJS.ProcessEnv = process.env): Promise<WorkerHardware> {
  const memory = Math.floor(totalmem() / MIB);
  return {
    cpus: (await allowedCpus()) ?? availableParallelism(),
    ...(memory > 0 ? { memory_mb: memory } : {}),
    ...(await readAccelerators(env)),
  };
}

/** The number of processors that this process may be scheduled on. */
async function allowedCpus(): Promise<number | null> {
  const text = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const ranges = /^Cpus_allowed_list:\s*(\S+)$/m.exec(text)?.[1];
  if (ranges === undefined) return null;
  const count = ranges.split(',').reduce((sum, range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return sum + last - first + 1;
  }, 0);
  return Number.isInteger(count) && count > 0 ? count : null;
}

async function readAccelerators(
  env: NodeJS.ProcessEnv,
): Promise<Pick<WorkerHardware, 'accelerators' | 'cuda'>> {
  const ask = (args: readonly string[]) =>
    captureTool({ file: 'nvidia-smi', args, env, timeoutMs: QUERY_MS });
  const gpuList = await ask([
    '--query-gpu=name,memory.total,driver_version',
    '--format=csv,noheader,nounits',
  ]);
  if (gpuList.end.kind !== 'exited' || gpuList.end.code !== 0) return {};
  const accelerators = acceleratorsIn(gpuList.stdout);
  const overview = await ask([]);
  const cuda = /CUDA Version:\s*([\d.]+)/.exec(overview.stdout)?.[1];
  return { accelerators, ...(cuda === undefined ? {} : { cuda }) };
}

/** Parses lines of `name, MiB, driver`; unknown values are left out. */
function acceleratorsIn(csv: string): NonNullable<WorkerHardware['accelerators']> {
  return csv
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', memory = '', driver = ''] = line.split(',').map((field) => field.trim());
      const size = Number(memory);
      return {
        name,
        ...(memory !== '' && Number.isFinite(size) ? { memory_mb: size } : {}),
        ...(driver === '' || driver.startsWith('[') ? {} : { driver }),
      };
    });
}
