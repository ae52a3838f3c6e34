import { guarded } from '../arguments.ts';
import { onlyArgument, onTarget } from '../target/onTarget.ts';
import { chosen } from './chosen.ts';

const CHANGES = { options: {}, needsEnvironment: () => true };

const add = onTarget({
  ...CHANGES,
  prepare: (said) => onlyArgument(said, 'one package, as in pandas or "pandas>=2"'),
  async run(target, wanted) {
    const answer = await target.call('addDependency', {
      params: { sid: target.sid },
      body: { package: wanted },
    });
    return { answer, human: `${wanted} is there; ${answer.stale_cell_count} cells went stale.` };
  },
});

const rm = onTarget({
  ...CHANGES,
  prepare: (said) => onlyArgument(said, 'one package'),
  async run(target, name) {
    const params = { sid: target.sid, package_name: name };
    const answer = await target.call('removeDependency', { params });
    return { answer, human: `${name} is gone; ${answer.stale_cell_count} cells went stale.` };
  },
});

/** `svc dep add|rm TGT PACKAGE`: answers when the environment has changed (API supplement 7). */
export function dep(args: readonly string[]): Promise<number> {
  return guarded(() => chosen('dep', { add, rm }, args));
}
