import type { EnvironmentDriver, Environments } from '../effects/environmentDriver.ts';
import type { EnvironmentState } from '../state/state.ts';

/** Environments for tests of the layers above: each is always `initial`. */
export function quietEnvironments(
  initial: EnvironmentState,
  ready: Promise<void> = Promise.resolve(),
): Environments {
  const driver: EnvironmentDriver = {
    initial,
    start: () => undefined,
    addDev: async () => null,
    otherThan: async () => null,
    catchUp: async () => null,
    followFiles: async () => null,
    perform: async () => undefined,
    cancel: () => undefined,
    preview: async () => ({ kind: 'resolved', changes: [] }),
    search: {
      suggest: async () => [],
      lookUp: async () => ({ status: 'unknown', version: null, problem: 'no index here' }),
    },
    rPackages: async () => ({ packages: [], packages_status: 'absent', packages_error: null }),
    whyNoR: async () => null,
    diagnose: async () => [],
    close: async () => undefined,
  };
  return {
    offeredVersions: async () => ['3.13'],
    async open() {
      await ready;
      return driver;
    },
    uv: async () => ({ kind: 'missing', message: 'There is no uv here.' }),
    toolEnv: () => ({}),
    setNetwork: () => undefined,
    close: async () => undefined,
  };
}
