/** Commands about the notebook's packages: part of the command table (registry.ts). */

import { packageToInstall } from '../../src-shared/notebook/suggestInstall.ts';
import { openPackageList, PACKAGE_LIST_EXTENSIONS } from '../live/packageListFile.ts';
import { shownError } from '../state/shownError.ts';
import { whyNoPackages } from '../state/whyNoPackages.ts';
import { pickFile } from '../ui/pickFile.ts';
import { DIAGNOSIS_WORDS } from '../words/diagnosis.ts';
import { PACKAGE_WORDS as W } from '../words/packages.ts';
import type { Command, CommandContext } from './command.ts';
import { firstObstacle, hasFocus, onFocusedCell } from './conditions.ts';

/** The missing Python package that made the focused cell fail. */
function missingOf({ view }: CommandContext): string | null {
  const model = view.focusedId === null ? undefined : view.model.cells[view.focusedId];
  const error = model === undefined ? null : shownError(model.cell);
  const missing = error === null ? null : packageToInstall(error.text);
  return missing?.language === 'python' ? missing.name : null;
}

const mayChange: NonNullable<Command['when']> = ({ view }) => whyNoPackages(view) ?? true;

const lacksPackage: NonNullable<Command['when']> = (context) =>
  missingOf(context) === null ? W.nothingMissing : true;

/** Opens a file picker and reads the chosen package list. */
async function importFile({ session }: CommandContext): Promise<void> {
  const file = await pickFile(PACKAGE_LIST_EXTENSIONS);
  if (file !== null) await openPackageList(session, file);
}

/** Commands of the packages of a notebook. */
export const PACKAGE_COMMANDS: readonly Command[] = [
  {
    id: 'packages.installMissing',
    title: W.installMissing,
    keys: [],
    mode: 'any',
    group: 'cell',
    when: firstObstacle(hasFocus, lacksPackage, mayChange),
    run: onFocusedCell((context, cellId) => {
      const requirement = missingOf(context);
      if (requirement === null) return;
      context.session.askPackages({
        kind: 'request',
        request: { kind: 'add', requirements: [requirement] },
        rerun: cellId,
      });
    }),
  },
  {
    id: 'packages.import',
    title: W.importCommand,
    keys: [],
    mode: 'any',
    group: 'notebook',
    menu: { notebook: 2 },
    when: mayChange,
    run: (context) => void importFile(context),
  },
  {
    id: 'environment.diagnostics',
    title: DIAGNOSIS_WORDS.command,
    keys: [],
    mode: 'any',
    group: 'notebook',
    menu: { notebook: 2 },
    run: ({ session }) => session.showDiagnostics(true),
  },
];
