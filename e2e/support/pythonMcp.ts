/** Connects the official MCP client for Python to an endpoint, for tests of the MCP tools. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { McpDriver } from './mcpClient.ts';

/** A program that calls the tools requested on stdin, several at a time; each call is one line of JSON each way. */
const PROGRAM = `
import asyncio, json, sys
from mcp import Client

async def main(url):
    async with Client(url) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        print(json.dumps({"id": 0, "tools": tools, "protocol": client.protocol_version}), flush=True)

        async def call(asked):
            try:
                result = await client.call_tool(asked["tool"], asked["args"])
                answer = {
                    "isError": result.is_error,
                    "structured": result.structured_content,
                    "text": "".join(part.text for part in result.content if part.type == "text"),
                    "images": [
                        {"data": part.data, "mimeType": part.mime_type}
                        for part in result.content
                        if part.type == "image"
                    ],
                }
            except Exception as error:
                answer = {"failed": f"{type(error).__name__}: {error}"}
            print(json.dumps({"id": asked["id"], **answer}), flush=True)

        calls = set()
        while line := await asyncio.to_thread(sys.stdin.readline):
            task = asyncio.create_task(call(json.loads(line)))
            calls.add(task)
            task.add_done_callback(calls.discard)
        await asyncio.gather(*calls)

asyncio.run(main(sys.argv[1]))
`;

interface Answer {
  readonly id: number;
  readonly failed?: string;
  readonly isError?: boolean;
  readonly structured?: unknown;
  readonly text?: string;
  readonly images?: readonly { readonly data: string; readonly mimeType: string }[];
  readonly tools?: readonly string[];
}

/**
 * Starts the official Python client in its own process.
 * @param python an interpreter with `harness/python/requirements-services.txt` installed
 */
export async function connectPythonMcp(python: string, url: string): Promise<McpDriver> {
  const child = spawn(python, ['-I', '-c', PROGRAM, `${url}/mcp/`], { stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let errors = '';
  let calls = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-8_192);
  });
  const next = (id: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
  const first = next(0);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer; // written by the program above
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`the Python client ended: ${errors}`));
  });
  const ask = async (tool: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    calls += 1;
    const answered = next(calls);
    child.stdin.write(`${JSON.stringify({ id: calls, tool, args })}\n`);
    const answer = await answered;
    if (answer.failed !== undefined) throw new Error(`${tool}: ${answer.failed}`);
    return answer;
  };
  const { tools = [] } = await first;
  return {
    tools,
    async call<T>(name: string, args?: Record<string, unknown>) {
      const { isError, text, structured } = await ask(name, args);
      if (isError === true) throw new Error(`${name} was refused: ${text}`);
      return structured as T;
    },
    async refused(name, args) {
      const { isError, text = '' } = await ask(name, args);
      if (isError !== true) throw new Error(`${name} was not refused: ${text}`);
      return text;
    },
    async images(name, args) {
      return (await ask(name, args)).images ?? [];
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
