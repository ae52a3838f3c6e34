/** Checks whether the local modules that cells import, Python files of the notebook's folder, have changed. */

import { closureOf, type ModuleFacts } from '../../language/modules/closure.ts';
import type { ModuleReader } from '../../language/modules/readModules.ts';
import { readsValues, type StepRequest } from '../../run/step.ts';
import { moduleNamesOf, starModulesOf } from '../keys/modules.ts';
import type { SessionFact } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';

/** The check of the local modules that a session's cells import. */
export interface ModuleCheck {
  /** Reads the current state of the modules; changed ones are watched from then on. */
  read(): Promise<ModuleFacts>;
  /** Reports the modules if they differ from the session's state. */
  refresh(): Promise<void>;
  /** Whether the modules in a step's key still match the folder; reported if not. */
  isCurrent(request: StepRequest): Promise<boolean>;
  /** Reports changed modules if a cell imports all names of one: the interpreter lists those names. */
  refreshStars(): Promise<void>;
}

/** Creates the check for one session. */
export function createModuleCheck(deps: {
  readonly modules: ModuleReader;
  readonly watchModules: (modules: ModuleFacts) => void;
  readonly state: () => SessionState;
  readonly report: (fact: SessionFact) => void;
}): ModuleCheck {
  const { state, report } = deps;
  const readModules = async (): Promise<ModuleFacts> => {
    const cells = [...state().cells.values()];
    const modules = await deps.modules.read(moduleNamesOf(cells), starModulesOf(cells));
    if (modules !== state().modules && !state().closing) deps.watchModules(modules);
    return modules;
  };
  const refreshed = async (): Promise<ModuleFacts> => {
    const modules = await readModules();
    if (modules !== state().modules) report({ type: 'modules_read', modules });
    return modules;
  };
  return {
    read: readModules,
    async refresh() {
      await refreshed();
    },
    async refreshStars() {
      if (starModulesOf(state().cells.values()).size > 0) await refreshed();
    },
    async isCurrent(request) {
      const modules = readsValues(request) ? request.modules : null;
      if (modules === null) return false;
      const moduleNames = 'moduleNames' in request ? request.moduleNames : [];
      const [then, now] = [closureOf(modules, moduleNames), closureOf(await refreshed(), moduleNames)];
      return then.length === now.length && then.every(({ digest }, i) => digest === now[i]?.digest);
    },
  };
}
