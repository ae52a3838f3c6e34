/** Handlers of the routes about the server itself, such as its health. */

import type { SERVICE_ROUTES } from '../../../src-shared/wire/routes/service.ts';
import type { HandlersOf } from '../implementRoutes.ts';

/** The handlers of the routes about the server itself. */
export function serviceHandlers({
  version,
}: {
  readonly version: string;
}): HandlersOf<typeof SERVICE_ROUTES> {
  const startedMs = performance.now();
  return {
    health: async () => ({
      status: 'healthy',
      version,
      uptime_seconds: (performance.now() - startedMs) / 1000,
    }),
  };
}
