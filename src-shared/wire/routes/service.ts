/** Contract of the route that reports whether the server is alive. */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';

export const SERVICE_ROUTES = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Liveness; open to everyone',
    scope: 'none',
    response: z.object({ status: z.literal('healthy'), version: z.string(), uptime_seconds: z.number() }),
    errors: [],
  },
} as const satisfies Record<string, RouteContract>;
