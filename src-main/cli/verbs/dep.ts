/** The commands `svc dep add` and `svc dep rm`: add a package to a notebook's environment or remove it. */

import type { AnswerOf } from '../../../src-shared/wire/routes/call.ts';
import { type CommandResult, onlyArgument, targetCommand } from '../place/targetCommand.ts';

const PACKAGE_COMMAND = { usage: 'PACKAGE', options: {}, needsEnvironment: () => true };

/** `svc dep add TGT PACKAGE`: returns when the environment has changed (docs/spec/command-line.md, 4). */
export const depAdd = targetCommand({
  ...PACKAGE_COMMAND,
  prepare: (line) => onlyArgument(line, 'one package, as in pandas or "pandas>=2"'),
  async run(target, requirement) {
    const body = { package: requirement };
    return changed('add', await target.call('addDependency', { params: { sid: target.sid }, body }));
  },
});

/** `svc dep rm TGT NAME`. */
export const depRemove = targetCommand({
  ...PACKAGE_COMMAND,
  prepare: (line) => onlyArgument(line, 'one package'),
  async run(target, name) {
    const params = { sid: target.sid, package_name: name };
    return changed('remove', await target.call('removeDependency', { params }));
  },
});

/** The result of a dependency change (docs/spec/mcp.md, 3); the list of stale cells is an addition. */
function changed(
  action: 'add' | 'remove',
  answer: AnswerOf<'addDependency' | 'removeDependency', Buffer>,
): CommandResult {
  const { package: name, success, lockfile_changed, stale_cell_count, stale_cell_ids } = answer;
  return {
    answer: { package: name, action, success, lockfile_changed, stale_cell_count, stale_cell_ids },
    human: `${action === 'add' ? 'Added' : 'Removed'} ${name}. Stale cells: ${stale_cell_count}.`,
  };
}
