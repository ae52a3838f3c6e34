/** The caller of an MCP tool, and its refusals. */

import type { ParsedRouteName } from '../../src-shared/wire/routes/all.ts';
import type { AnswerOf, CallOf } from '../../src-shared/wire/routes/call.ts';
import type { Scope } from '../../src-shared/wire/scopes.ts';
import type { Party } from '../registry/versionRow.ts';

/** A refusal whose message the agent reads. Everything else that a tool throws is an internal error. */
export class ToolRefusal extends Error {
  /** The code of the refusal in the table of errors; null for one that has none. */
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.name = 'ToolRefusal';
    this.code = code;
  }
}

/** A stored file that a route answers. */
export interface RouteBytes {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they may be shown: without the notebook's secrets. */
  pieces(): Promise<AsyncIterable<Uint8Array>>;
}

/** Who calls a tool, and the routes of the server in their name. Made for each HTTP request. */
export interface McpCaller {
  /** The same for every request of one principal and tenant; sessions of others are unknown to them. */
  readonly key: string;
  hasScope(scope: Scope): boolean;
  /** The caller as the artifact store knows it. */
  readonly party: Party;
  /** The name an edit is kept under: the principal, else the name that was given, else `local`. */
  identity(author: string | undefined): string;
  /**
   * Calls a route's own handler, with its validation. The tool's scope was checked; the route's is not.
   * @throws ToolRefusal
   */
  call<N extends ParsedRouteName>(name: N, call: CallOf<N>): Promise<AnswerOf<N, RouteBytes>>;
}
