import { describe, expect, it } from 'vitest';
import { cellId } from '../../src-shared/notebook/ids.ts';
import { failedOutput } from '../run/displays.ts';
import { createWorld } from './testWorld.ts';
import { viewCell } from './view.ts';

const A = cellId('a');
const RUN = { type: 'run_requested', cellId: A, mode: 'normal', upstream: 'go' } as const;
const edit = (source: string) => ({ type: 'source_edited', cellId: A, source, force: false }) as const;

describe('what a cell shows', () => {
  it('[ST-10] a failure hides the last displays; the old source put back shows them again, ready', () => {
    const world = createWorld({ a: 'x = 1' });
    const shown = () => {
      const cell = world.state().cells.get(A);
      if (cell === undefined) throw new Error('no cell');
      const view = viewCell(world.state(), cell);
      return [view.status, view.display_outputs.map(({ preview }) => preview)];
    };
    world.send(RUN);
    const display = { ...failedOutput('stands for any'), preview: 'one' };
    world.settle([display]);
    world.send(edit('x = boom'));
    world.send(RUN);
    world.settle();
    expect(shown()).toEqual(['error', []]);
    world.send(edit('x = 1'));
    expect(shown()).toEqual(['ready', ['one']]);
  });
});
