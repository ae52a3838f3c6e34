/** The client that calls an MCP tool: its identity, its access to the server's routes, and how a tool refuses it. */

import type { ParsedRouteName } from '../../src-shared/wire/routes/all.ts';
import type { AnswerOf, CallOf } from '../../src-shared/wire/routes/call.ts';
import type { Scope } from '../../src-shared/wire/scopes.ts';
import type { Party } from '../registry/versionRow.ts';

/** A refusal whose message the agent gets. All other errors of a tool are internal errors. */
export class ToolRefusal extends Error {
  /** The code of the refusal in the table of errors; null if it has none. */
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.name = 'ToolRefusal';
    this.code = code;
  }
}

/** A stored file that a route returns. */
export interface RouteBytes {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes without the notebook's secrets. */
  pieces(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * The client that calls a tool, and access to the server's routes on its behalf. Created for each HTTP
 * request.
 */
export interface McpCaller {
  /** Equal for all requests of one principal and tenant, which only see their own sessions. */
  readonly key: string;
  hasScope(scope: Scope): boolean;
  /** The caller in the form that the artifact store uses. */
  readonly party: Party;
  /** The author recorded for an edit: the principal, else the given name, else `local`. */
  identity(author: string | undefined): string;
  /**
   * Calls a route's own handler, with its validation. The scope of the tool was checked; that of the route is
   * not.
   * @throws ToolRefusal
   */
  call<N extends ParsedRouteName>(name: N, call: CallOf<N>): Promise<AnswerOf<N, RouteBytes>>;
}
