import type { REGISTRY_ROUTES } from '../../../src-shared/wire/routes/registry.ts';
import type { HandlersOf } from '../implementRoutes.ts';

/** The registry has no names yet: what clients poll of it is empty. */
export function registryHandlers(): HandlersOf<typeof REGISTRY_ROUTES> {
  return {
    registrySummary: async () => ({ names: [] }),
    registryPending: async () => ({ pending: [] }),
    registryAudit: async () => ({ entries: [] }),
  };
}
