/**
 * The commands `svc dag`, which prints the graph of a notebook, and `svc status`, which prints the statuses of its
 * cells.
 */

import { statusViewOf } from '../../../src-shared/wire/toCellView.ts';
import { noArgument, targetCommand } from '../place/targetCommand.ts';

const READING_COMMAND = { options: {}, needsEnvironment: () => false, prepare: noArgument };

/** `svc dag TGT`: which cell reads which names of which other cell (docs/spec/rest-notebooks.md, 2.4). */
export const dag = targetCommand({
  ...READING_COMMAND,
  async run(target) {
    const answer = await target.call('getDag', { params: { sid: target.sid } });
    const lines = answer.edges.map(
      ({ from_cell_id, to_cell_id, variable }) => `${from_cell_id} -> ${to_cell_id}  ${variable}`,
    );
    return { answer, human: [`order: ${answer.topological_order.join(' ')}`, ...lines].join('\n') };
  },
});

/** `svc status TGT`: the notebook, its environment, and the status of each cell. */
export const status = targetCommand({
  ...READING_COMMAND,
  async run(target) {
    const { sid } = target;
    const body = await target.call('getSession', { params: { sid } });
    const view = statusViewOf(body);
    const { cells } = view;
    const counts: Record<string, number> = {};
    for (const { status: one } of cells) counts[one] = (counts[one] ?? 0) + 1;
    const { name, path, environment } = body;
    const countTexts = Object.entries(counts).map(([one, count]) => `${count} ${one}`);
    return {
      // The fields before the cells are additions to the specification.
      answer: { ...view, notebook: name, path, session_id: sid, environment, counts, cells },
      human: [
        `${name}: ${countTexts.join(', ') || 'no cells'}; environment ${environment.sync_state}`,
        ...cells.map((cell) => `${cell.status.padEnd(8)} ${cell.id}`),
      ].join('\n'),
    };
  },
});
