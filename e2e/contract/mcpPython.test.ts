/**
 * The official MCP client in Python makes the same calls to the built server as the one in TypeScript (mcp.test.ts).
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { longTest } from '../support/longRun.ts';
import type { McpDriver } from '../support/mcpClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { connectPythonMcp } from '../support/pythonMcp.ts';
import { startScopedMcp } from '../support/scopedMcp.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { CELLS, callEveryTool, checkBusyRefusal, checkReadOnlyScope, readFigure, TOML } from './mcpCalls.ts';

const PYTHON = process.env['CELLAR_TEST_SERVICES'];
let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
let agent: McpDriver;

// Skipped where CELLAR_TEST_SERVICES, the Python with the client, is not set.
describe.runIf(PYTHON !== undefined)('the official Python client', () => {
  const python = PYTHON ?? '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-mcp-python-'));
    server = await startServerProcess({
      grants: [root],
      env: { SVC_MCP_ENABLED: 'true', SVC_ARTIFACT_DIR: join(root, 'store') },
    });
    notebook = await openNotebook(
      server,
      await writeReadyNotebook(join(root, 'driven'), { cells: CELLS, toml: TOML }),
    );
    agent = await connectPythonMcp(python, server.url);
  });
  afterAll(async () => {
    await agent?.close();
    await server?.dispose();
    await rm(root, { recursive: true, force: true });
  });

  it('[MC-30] calls every tool: creates, edits and runs cells, and reads a page of a table', async () => {
    await callEveryTool(agent, notebook);
  });

  it('[MC-30] reads a figure', () => readFigure(agent, notebook));

  it('[MC-30] is refused while the notebook is busy, and stops the run', async () => {
    await checkBusyRefusal(agent, notebook, join(root, 'started'));
  });

  longTest('e2e/contract/mcp.test.ts')('[MC-30] is refused by scope', async () => {
    const scoped = await startScopedMcp(['notebook:read']);
    const reader = await connectPythonMcp(python, scoped.url);
    try {
      await checkReadOnlyScope(reader);
    } finally {
      await reader.close();
      await scoped.close();
    }
  });
});
