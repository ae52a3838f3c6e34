/** Callers and calls for tests of the MCP tools, without a server. */

import { createRegistryService } from '../../registry/registryService.ts';
import type { Session } from '../../session/api.ts';
import type { McpCaller } from '../mcpCaller.ts';
import { SeenSources, type ToolCall } from '../tool.ts';

const NO_STORE = createRegistryService(null, {
  intervalSeconds: null,
  limits: { maxIdleDays: null, maxBytes: null, minIdleSeconds: 0 },
  onProblem(error) {
    throw error;
  },
});

/** A caller with these scopes; `answer` replaces the routes of the server. */
export function fakeCaller(
  scopes: readonly string[] | 'all',
  answer: (name: string, call: unknown) => unknown = (name) => {
    throw new Error(`${name} was called`);
  },
  key = 'one',
): McpCaller {
  return {
    key,
    party: { tenant: '', principal: null, isAdmin: true },
    hasScope: (scope) => scopes === 'all' || scopes.includes(scope),
    identity: (author) => author ?? 'local',
    call: async (name, call) => answer(name, call) as never, // the test defines the route's answer
  };
}

/** One call of a tool by such a caller; `session` is the only open notebook. */
export function fakeCall(caller: McpCaller, session: Session | null = null): ToolCall {
  return {
    caller,
    client: 'test-agent',
    registry: NO_STORE,
    evaluate: () => Promise.reject(new Error('no console here')),
    seen: new SeenSources(),
    session() {
      if (session === null) throw new Error('no notebook here');
      return session;
    },
    warn(error) {
      throw error;
    },
  };
}
