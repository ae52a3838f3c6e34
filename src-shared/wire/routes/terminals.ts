/** Contracts of the routes that list, open and close terminals: shells in the folder and environment of a notebook. */

import * as z from 'zod';
import { terminalSize, terminalView } from '../terminal.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const terminalParams = sessionParams.extend({ terminal_id: z.string() });

/** The routes about terminals (docs/extensions.md). */
export const TERMINAL_ROUTES = {
  listTerminals: {
    method: 'GET',
    path: '/v1/notebooks/{sid}/x/terminals',
    summary: 'The terminals of a notebook',
    scope: 'notebook:execute',
    personalOnly: true,
    params: sessionParams,
    response: z.object({ terminals: z.array(terminalView) }),
    errors: [403, 404],
  },
  openTerminal: {
    method: 'POST',
    path: '/v1/notebooks/{sid}/x/terminals',
    summary: 'Start a shell in a terminal of this size',
    scope: 'notebook:execute',
    personalOnly: true,
    params: sessionParams,
    body: terminalSize,
    response: terminalView,
    errors: [400, 403, 404, 409, 422, 503],
  },
  closeTerminal: {
    method: 'DELETE',
    path: '/v1/notebooks/{sid}/x/terminals/{terminal_id}',
    summary: 'End a terminal and the programs in it',
    scope: 'notebook:execute',
    personalOnly: true,
    params: terminalParams,
    response: z.object({ closed: z.literal(true) }),
    errors: [403, 404],
  },
} as const satisfies Record<string, RouteContract>;
