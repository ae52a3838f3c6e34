/** Connects the official MCP client for TypeScript to an endpoint, for tests of the MCP tools. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** An official client, connected to an MCP endpoint. It checks results against the output schemas. */
export interface McpDriver {
  readonly tools: readonly string[];
  /** Makes a call that must succeed; returns its structured result. @throws Error with the message of a refusal */
  call<T = Record<string, unknown>>(name: string, args?: Record<string, unknown>): Promise<T>;
  /** Makes a call that must be refused; returns the message. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Makes a call; returns the images of the answer. */
  images(name: string, args: Record<string, unknown>): Promise<readonly { data: string; mimeType: string }[]>;
  close(): Promise<void>;
}

/** The official client in TypeScript. */
export interface McpClient extends McpDriver {
  readonly client: Client;
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

export async function connectMcp(
  url: string,
  options: { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<McpClient> {
  const client = new Client({ name: 'test-agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/`), {
    requestInit: { headers: { ...options.headers } },
  });
  // Its optional fields may be undefined, which exactOptionalPropertyTypes distinguishes from absent.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const { tools } = await client.listTools();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await client.callTool({ name, arguments: args });
    const content = answer['content'] as readonly Part[]; // the content of a tool that is no task
    const text = content.find((part) => part.type === 'text')?.text ?? '';
    return { text, content, isError: answer['isError'] === true, structured: answer['structuredContent'] };
  };
  return {
    client,
    tools: tools.map(({ name }) => name),
    async call<T>(name: string, args?: Record<string, unknown>) {
      const { isError, text, structured } = await call(name, args);
      if (isError) throw new Error(`${name} was refused: ${text}`);
      return structured as T;
    },
    async refused(name, args) {
      const { isError, text } = await call(name, args);
      if (!isError) throw new Error(`${name} was not refused: ${text}`);
      return text;
    },
    async images(name, args) {
      const { content } = await call(name, args);
      return content.flatMap(({ type, data = '', mimeType = '' }) =>
        type === 'image' ? [{ data, mimeType }] : [],
      );
    },
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
}
