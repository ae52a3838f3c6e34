import { closureOf, type ModuleFacts } from '../../language/modules/closure.ts';
import type { ModuleReader } from '../../language/modules/readModules.ts';
import type { StepRequest } from '../../run/step.ts';
import { moduleNamesOf, starModulesOf } from '../keys/modules.ts';
import type { SessionFact } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';

/** The modules of the folder that a session's cells import, looked at on disk. */
export interface ModuleLook {
  /** As they are now; what is another is watched from then on. */
  read(): Promise<ModuleFacts>;
  /** Reports them where they are others than the session knows. */
  refresh(): Promise<void>;
  /** Whether the modules a step's key holds are still what the folder has; reported if not. */
  isCurrent(request: StepRequest): Promise<boolean>;
  /** The same, where a cell imports all names of a module: which they are is asked of the interpreter. */
  refreshStars(): Promise<void>;
}

export function createModuleLook(deps: {
  readonly modules: ModuleReader;
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
  return {
    read,
    async refresh() {
      await refreshed();
    },
    async refreshStars() {
      if (starModulesOf(state().cells.values()).size > 0) await refreshed();
    },
    async isCurrent({ modules, moduleNames }) {
      if (modules === null) return false;
      const [then, now] = [closureOf(modules, moduleNames), closureOf(await refreshed(), moduleNames)];
      return then.length === now.length && then.every(({ digest }, i) => digest === now[i]?.digest);
    },
  };
}
