/** MCP tools about workers, the other machines that cells run on. */

import * as z from 'zod';
import { sshTunnel } from '../../../src-shared/wire/routes/sshWorkers.ts';
import type { WorkerCatalog, WorkerEntry } from '../../../src-shared/wire/workers.ts';
import { defineTool, notifyWindows, sid, type Tool, type ToolCall } from '../tool.ts';

const text = z.string().nullable();

const workerList = z.object({
  default: z.string().optional(),
  editable: z.boolean(),
  workers: z.array(
    z.object({
      name: z.string(),
      backend: z.string(),
      transport: z.string(),
      url: text,
      runtime_id: text,
      token_env: text,
      is_default: z.boolean(),
    }),
  ),
});

const name = z.string().max(200).describe('Name of the worker.');

/** Tools about the machines that cells run on. */
export const WORKER_TOOLS: Readonly<Record<string, Tool>> = {
  list_workers: defineTool({
    scope: 'notebook:read',
    title: 'List workers',
    description: 'List the workers that cells of the notebook may run on.',
    input: z.object({ session_id: sid }),
    output: workerList,
    run: async (call, { session_id }) => ({ result: await listOf(call, session_id) }),
  }),
  add_worker: defineTool({
    scope: 'notebook:write',
    title: 'Define a worker',
    description:
      'Define a worker in the notebook, or replace the definition of this name. The token itself is never passed: name a variable of the server.',
    input: z.object({
      session_id: sid,
      name,
      url: z.string().max(4096),
      transport: z.enum(['direct', 'signed']).default('direct'),
      runtime_id: z.string().nullish(),
      token_env: z.string().nullish().describe('Environment variable of the server that has the token.'),
      set_default: z.boolean().default(false),
    }),
    output: workerList,
    async run(call, { session_id, url, transport, runtime_id, token_env, set_default, name: added }) {
      const config = { url, transport, ...(token_env == null ? {} : { token_env }) };
      const worker = { name: added, backend: 'executor' as const, runtime_id: runtime_id ?? null, config };
      await setWorkers(call, session_id, [...(await othersOf(call, session_id, added)), worker]);
      if (set_default) await setDefault(call, session_id, added);
      await notifyWindows(call, session_id, `added the worker ${added}`);
      return { result: await listOf(call, session_id) };
    },
  }),
  set_default_worker: defineTool({
    scope: 'notebook:write',
    title: 'Choose the default worker',
    description: 'Choose the worker of cells that name none. Without a name: this machine.',
    input: z.object({ session_id: sid, name: name.nullish() }),
    output: workerList,
    async run(call, { session_id, name: defaultName }) {
      await setDefault(call, session_id, defaultName ?? null);
      await notifyWindows(call, session_id, `set the default worker to ${defaultName ?? 'this machine'}`);
      return { result: await listOf(call, session_id) };
    },
  }),
  remove_worker: defineTool({
    scope: 'notebook:write',
    title: 'Remove a worker',
    description: 'Remove the definition of a worker from the notebook.',
    input: z.object({ session_id: sid, name }),
    output: workerList,
    destructive: true,
    async run(call, { session_id, name: removed }) {
      const others = await othersOf(call, session_id, removed);
      const { worker } = call.session(session_id).views.notebook.body();
      await setWorkers(call, session_id, others);
      // An undefined default worker would block every cell.
      if (worker === removed) await setDefault(call, session_id, null);
      await notifyWindows(call, session_id, `removed the worker ${removed}`);
      return { result: await listOf(call, session_id) };
    },
  }),
  connect_ssh_worker: defineTool({
    scope: 'notebook:execute',
    title: 'Connect a worker over SSH',
    description: 'Install and start a worker on a machine that the server reaches by ssh, and define it.',
    input: z.object({
      session_id: sid,
      ssh_target: z.string().min(1).max(255).describe('As for ssh: host or user@host.'),
      name: name.nullish(),
      set_default: z.boolean().default(true),
      install: z.boolean().default(true),
    }),
    output: workerList.extend({ worker: sshTunnel }),
    async run(call, { session_id, ssh_target, name: workerName, set_default, install }) {
      const { worker } = await call.caller.call('connectSshWorker', {
        params: { sid: session_id },
        body: { ssh_target, name: workerName ?? null, set_default, install },
      });
      await notifyWindows(call, session_id, `connected the worker ${worker.name}`);
      return { result: { worker, ...(await listOf(call, session_id)) } };
    },
  }),
  disconnect_ssh_worker: defineTool({
    scope: 'notebook:write',
    title: 'Disconnect a worker',
    description: 'Disconnect a worker that was connected over SSH; stop_remote also stops it on its machine.',
    input: z.object({ session_id: sid, name, stop_remote: z.boolean().default(false) }),
    output: workerList.extend({ torn_down: z.boolean() }),
    destructive: true,
    async run(call, { session_id, name: oldName, stop_remote }) {
      const { torn_down } = await call.caller.call('disconnectSshWorker', {
        params: { sid: session_id, name: oldName },
        query: { stop_remote: String(stop_remote) },
      });
      await notifyWindows(call, session_id, `disconnected the worker ${oldName}`);
      return { result: { torn_down, ...(await listOf(call, session_id)) } };
    },
  }),
};

async function listOf(call: ToolCall, sid: string): Promise<z.infer<typeof workerList>> {
  const catalog: WorkerCatalog = await call.caller.call('listWorkers', { params: { sid }, query: {} });
  const { worker } = call.session(sid).views.notebook.body();
  return {
    ...(worker === null ? {} : { default: worker }),
    editable: catalog.definitions_editable,
    workers: catalog.workers.map((entry) => ({
      ...shownWorker(entry),
      is_default: entry.name === (worker ?? 'local'),
    })),
  };
}

function shownWorker({ name, backend, transport, runtime_id, config }: WorkerEntry) {
  const textIn = (key: string): string | null => (typeof config[key] === 'string' ? config[key] : null);
  return { name, backend, transport, url: textIn('url'), runtime_id, token_env: textIn('token_env') };
}

async function othersOf({ caller }: ToolCall, sid: string, name: string) {
  const { workers } = await caller.call('getSession', { params: { sid } });
  return workers.filter((one) => one.name !== name);
}

async function setWorkers(
  { caller }: ToolCall,
  sid: string,
  workers: Awaited<ReturnType<typeof othersOf>>,
): Promise<void> {
  await caller.call('setWorkers', { params: { sid }, body: { workers } });
}

async function setDefault({ caller }: ToolCall, sid: string, worker: string | null): Promise<void> {
  await caller.call('setWorker', { params: { sid }, body: { worker } });
}
