/** Tests the command `svc agent` as a process: MCP clients reach a folder over HTTP and over standard input. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectMcp } from '../support/mcpClient.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { COMPILED_HERE, PROJECT_ROOT } from '../support/serverProcess.ts';

const PROGRAM = join(PROJECT_ROOT, 'dist/svc.mjs');

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-agent-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('[MC-14] [MC-15] svc agent serves a folder over HTTP and standard input, and stops its server at the end', async () => {
  const dir = await writeReadyNotebook(join(root, 'mine'), { cells: [{ id: 'a0000001', source: 'x = 1' }] });
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    ...COMPILED_HERE,
  };
  // No server listens at the port that is tried first.
  const child = spawn(process.execPath, [PROGRAM, 'agent', dir, '--no-tui'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString();
    });
    await expect.poll(() => output).toContain('Agents reach');
    const { mcpServers } = JSON.parse(readFileSync(join(dir, '.mcp.json'), 'utf8'));
    const url: string = mcpServers['svc-notebook'].url;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp\/$/);
    expect(readFileSync(join(dir, 'CLAUDE.md'), 'utf8')).toContain('<!-- svc:agent:start -->');
    expect(existsSync(join(dir, '.svc/server.log'))).toBe(true);
    const server = url.replace(/\/mcp\/$/, '');
    const http = await connectMcp(server);
    const { result } = await http.call<{ result: { path: string }[] }>('list_notebooks');
    expect(result.map(({ path }) => path)).toEqual([dir]);
    await http.close();
    const client = new Client({ name: 'over-stdio', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'agent', '--stdio', '--server', server],
        env,
      }),
    );
    const answer = await client.callTool({ name: 'list_notebooks', arguments: {} });
    expect(answer['structuredContent']).toEqual({ result });
    await client.close();
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(0);
    await expect(fetch(`${server}/health`)).rejects.toThrow();
  } finally {
    child.kill('SIGKILL');
  }
});
