import { describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import type { DataItem } from '../../mount/dataItem.ts';
import { createWorld, lines, type World } from '../testing/testWorld.ts';

/** A world whose external data is given by name: the state of each mount. */
function worldOf(sources: Readonly<Record<string, string>>, things: Record<string, string | null>): World {
  return createWorld(sources, {
    outside: (item, nowMs) => ({
      key: item.key,
      token: things[item.name] ?? null,
      problem: things[item.name] === null ? 'It is not there.' : null,
      checkedAtMs: nowMs,
    }),
  });
}

const run = (world: World, id: string, mode: 'normal' | 'rerun' = 'normal'): readonly string[] => {
  world.advanceMs(10);
  world.send({ type: 'run_cell', cellId: cellId(id), mode, upstream: 'go' });
  return world.settle();
};
const runAll = (world: World): readonly string[] => {
  world.advanceMs(10);
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
  return world.settle();
};
const statuses = (world: World) =>
  Object.fromEntries([...world.state().cells.values()].map(({ id, status }) => [id, status]));

/** Reports a check between runs. */
function seen(world: World, things: Record<string, string | null>): void {
  world.advanceMs(10);
  const facts = [...world.state().cells.values()].flatMap(({ analysis }) =>
    analysis.annotations.mounts.map((mount) => ({
      key: JSON.stringify(['mount', mount.uri, mount.credential, {}] satisfies DataKey),
      token: things[mount.name] ?? null,
      problem: null,
      checkedAtMs: 2_000_000,
    })),
  );
  world.report({ type: 'data_checked', facts });
}
type DataKey = [DataItem['kind'], string, string | null, Record<string, never>];

const SOURCES = { a: '# @mount raw file://./d\nx = 1', b: 'y = x' };

describe('a mounted cell', () => {
  it('[MT-5] is a hit until the data changes, and again when it is restored', () => {
    const things: Record<string, string | null> = { raw: 'one' };
    const world = worldOf(SOURCES, things);
    expect(run(world, 'b')).toEqual(['a', 'b']);
    expect([run(world, 'b'), run(world, 'a')]).toEqual([[], []]);
    things['raw'] = 'two';
    expect(run(world, 'a')).toEqual(['a']);
    things['raw'] = 'one';
    expect(run(world, 'a')).toEqual([]);
  });

  it('[MT-5] becomes idle when a check between runs shows a change, its readers stale', () => {
    const world = worldOf(SOURCES, { raw: 'one' });
    run(world, 'b');
    world.frames.length = 0;
    seen(world, { raw: 'two' });
    expect(lines(world.frames)).toEqual([
      'status a idle source_changed',
      'status b stale upstream input_changed:x',
    ]);
    seen(world, { raw: 'one' });
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
  });

  it('[DP-96] the change is named, for a table with its new snapshot', () => {
    const source = '# @mount raw file://./d\n# @table orders lake:ns.orders\nx = 1';
    const world = worldOf({ a: source }, { raw: 'one', orders: '9007199254740993' });
    run(world, 'a');
    const see = (token: string) => {
      world.advanceMs(10);
      const key = 'table\0lake:ns.orders';
      world.report({ type: 'data_checked', facts: [{ key, token, problem: null, checkedAtMs: 2_000_000 }] });
      return world.state().cells.get(cellId('a'))?.causality ?? null;
    };
    expect(see('9007199254740995')).toEqual({
      reason: 'self',
      details: [{ type: 'source_changed', data: 'orders', snapshot: '9007199254740995' }],
    });
    seen(world, { raw: 'two' });
    expect(world.state().cells.get(cellId('a'))?.causality?.details).toEqual([
      { type: 'source_changed', data: 'raw' },
      { type: 'source_changed', data: 'orders', snapshot: '9007199254740995' },
    ]);
    seen(world, { raw: 'one' });
    expect(see('9007199254740993')).toBeNull();
    world.send({ type: 'edit_source', cellId: cellId('a'), source: `${source}1`, force: false });
    expect(see('9007199254740995')?.details).toEqual([{ type: 'source_changed' }]);
  });

  it('[MT-5] is checked before it is keyed: an unnoticed change is not a hit', () => {
    const things: Record<string, string | null> = { raw: 'one' };
    const world = worldOf(SOURCES, things);
    run(world, 'b');
    things['raw'] = 'two';
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
    // A value made from other data may have the same bytes as before and mean something else, so its reader
    // runs too.
    expect(runAll(world)).toEqual(['a', 'b']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
  });

  it('[MT-5] a later cell sees what an earlier one of the same run wrote', () => {
    const things: Record<string, string | null> = { raw: 'one' };
    const world = worldOf(
      {
        a: '# @mount raw file://./d\nx = 1',
        w: '# @mount out file://./d rw\nz = 1',
        c: '# @mount raw file://./d\n# @after w\ny = 3',
      },
      things,
    );
    runAll(world);
    things['raw'] = 'two';
    world.advanceMs(10);
    world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
    const order: string[] = [];
    for (let next = world.pending[0]; next !== undefined; next = world.pending[0]) {
      order.push(next.request.cellId);
      if (next.request.cellId === 'w') {
        things['raw'] = 'three';
        world.advanceMs(10);
        world.step({
          kind: 'ran',
          published: [],
          outputs: {},
          displays: [],
          stdout: '',
          stderr: '',
          method: 'warm',
          mutationWarnings: [],
          durationMs: 1,
          endedAtMs: 1_000_100,
        });
      } else world.step();
    }
    expect(order).toEqual(['a', 'w', 'c']);
    expect(world.state().expected.get(cellId('c'))?.data).toEqual(['raw:file://./d:three']);
  });

  it('[MT-6] unknown data never causes a hit, and its readers stay stale', () => {
    const world = worldOf(SOURCES, {});
    expect(run(world, 'b')).toEqual(['a', 'b']);
    expect(statuses(world)).toEqual({ a: 'idle', b: 'stale' });
    expect(run(world, 'a')).toEqual(['a']);
  });

  it('[MT-7] with a writable mount runs every time, is ready after it ran, and its readers depend on its content', () => {
    const world = worldOf({ a: '# @mount out file:///o rw\nx = 1', b: 'y = x' }, {});
    expect(run(world, 'b')).toEqual(['a', 'b']);
    expect(statuses(world)).toEqual({ a: 'ready', b: 'ready' });
    expect(run(world, 'a')).toEqual(['a']);
    expect(run(world, 'b')).toEqual([]);
  });

  it('[MT-5] removing the mount is a change of the cell, not of its data', () => {
    const world = worldOf({ z: 'q = 1', a: '# @mount raw file://./d\nx = q', b: 'y = x' }, { raw: 'one' });
    run(world, 'b');
    world.frames.length = 0;
    world.send({ type: 'edit_source', cellId: cellId('a'), source: 'x = q', force: false });
    expect(lines(world.frames).filter((line) => line.startsWith('status'))).toEqual([
      'status a idle source_changed',
      'status b stale upstream input_changed:x',
    ]);
  });

  it('[MT-5] a cancel while external data is checked ends the run', () => {
    const world = createWorld(SOURCES, {
      outside: () => {
        throw new Error('not reached');
      },
    });
    const never: World = createWorld(SOURCES, {
      outside: ({ key }, checkedAtMs) => {
        never.send({ type: 'cancel_cell', cellId: cellId('a') });
        return { key, token: 't', problem: null, checkedAtMs };
      },
    });
    never.send({ type: 'run_cell', cellId: cellId('a'), mode: 'normal', upstream: 'go' });
    expect([never.pending, never.state().running, statuses(never)['a']]).toEqual([[], null, 'idle']);
    expect(world.state().running).toBeNull();
  });
});
