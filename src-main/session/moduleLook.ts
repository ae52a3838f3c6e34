import { closureOf, type ModuleFacts } from '../language/modules/closure.ts';
import type { ModuleReader } from '../language/modules/readModules.ts';
import type { StepRequest } from '../run/step.ts';
import type { EnvironmentDriver, EnvironmentNow } from './environmentDriver.ts';
import type { SessionFact } from './events.ts';
import { moduleNamesOf, starModulesOf } from './modules.ts';
import type { SessionState } from './state.ts';

/** What a step is keyed by and the disk has: modules of the folder that cells import, and the environment. */
export interface ModuleLook {
  /** As they are now; what is another is watched from then on. */
  read(): Promise<ModuleFacts>;
  /** Reports them where they are others than the session knows. */
  refresh(): Promise<void>;
  /** Whether modules and environment are still what a step's key holds; of the modules it is reported if not. */
  isCurrent(request: StepRequest): Promise<boolean>;
  /** The environment, where it is not the one this step of Python would run in. */
  otherEnvironment(request: StepRequest): Promise<EnvironmentNow | null>;
}

export function createModuleLook(deps: {
  readonly modules: ModuleReader;
  readonly environment: Pick<EnvironmentDriver, 'otherThan'>;
  readonly watchModules: (modules: ModuleFacts) => void;
  readonly state: () => SessionState;
  readonly report: (fact: SessionFact) => void;
}): ModuleLook {
  const { state, report } = deps;
  const read = async (): Promise<ModuleFacts> => {
    const cells = [...state().cells.values()];
    const modules = await deps.modules.read(moduleNamesOf(cells), starModulesOf(cells));
    if (modules !== state().modules && !state().closing) deps.watchModules(modules);
    return modules;
  };
  const refreshed = async (): Promise<ModuleFacts> => {
    const modules = await read();
    if (modules !== state().modules) report({ type: 'modules_read', modules });
    return modules;
  };
  const otherEnvironment: ModuleLook['otherEnvironment'] = async ({ language, interpreter }) =>
    language !== 'python' || interpreter.path === '' ? null : deps.environment.otherThan(interpreter);
  return {
    read,
    otherEnvironment,
    async refresh() {
      await refreshed();
    },
    async isCurrent(request) {
      const { modules, moduleNames } = request;
      if (modules === null || (await otherEnvironment(request)) !== null) return false;
      const [then, now] = [closureOf(modules, moduleNames), closureOf(await refreshed(), moduleNames)];
      return then.length === now.length && then.every(({ digest }, i) => digest === now[i]?.digest);
    },
  };
}
