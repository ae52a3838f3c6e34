import { expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { createWorld, type World } from '../testing/testWorld.ts';

const NOTEBOOK = { a: 'x = 1', b: 'y = x', c: 'z = y', d: 'w = x', m: 'md: text' };

function asked(world: World, request: Parameters<World['send']>[0]) {
  const before = world.state();
  world.frames.length = 0;
  world.send(request);
  expect(world.state()).toBe(before);
  expect(world.frames.map(({ to }) => to)).toEqual([{ kind: 'only', socketId: 's1' }]);
  return world.frames[0]?.frame.payload;
}

function ran(): World {
  const world = createWorld(NOTEBOOK);
  world.send({ type: 'run_all', mode: 'normal', continueOnError: true });
  world.settle();
  return world;
}

it('[LP-70] a preview has the cells to run first, the duration, and the cells that become stale', () => {
  const world = ran();
  world.send({ type: 'edit_source', cellId: cellId('a'), source: 'x = 2', force: true });
  const step = (id: string, name: string, reason: string, ms: number, skip = false) => ({
    cell_id: id,
    cell_name: name,
    reason,
    skip,
    estimated_ms: ms,
  });
  expect(asked(world, { type: 'view_impact', cellId: cellId('c') })).toEqual({
    target_cell_id: 'c',
    upstream: [step('a', 'x', 'stale', 5), step('b', 'y', 'stale', 5), step('c', 'z', 'target', 5)],
    downstream: [],
    estimated_ms: 15,
  });
  expect(asked(ran(), { type: 'view_impact', cellId: cellId('b') })).toEqual({
    target_cell_id: 'b',
    upstream: [step('a', 'x', 'stale', 0, true), step('b', 'y', 'target', 5)],
    downstream: [{ cell_id: 'c', cell_name: 'z', current_status: 'ready', new_status: 'stale:upstream' }],
    estimated_ms: 5,
  });
  expect(asked(createWorld(NOTEBOOK), { type: 'view_impact', cellId: cellId('b') })).toMatchObject({
    upstream: [{ reason: 'missing', estimated_ms: 0 }, { reason: 'target' }],
  });
});

it('[LP-70] a preview of no cell is refused', () => {
  const world = createWorld(NOTEBOOK);
  expect(asked(world, { type: 'view_impact', cellId: cellId('zz') })).toMatchObject({
    error: 'Cell not found',
    cell_id: 'zz',
  });
});

it('[LP-71] the summary counts runs and hits, and the time that the hits saved', () => {
  const world = ran();
  world.send({ type: 'run_cell', cellId: cellId('b'), mode: 'normal', upstream: 'go' });
  world.settle();
  const summary = asked(world, { type: 'view_profiling' });
  expect(summary).toMatchObject({
    total_execution_ms: 20,
    cache_hits: 1,
    cache_misses: 4,
    cache_savings_ms: 4,
    team_cache_hits: 0,
    team_contributors: [],
    total_artifact_bytes: 0,
  });
  const profiles = (summary as { cell_profiles: readonly { cell_id: string }[] }).cell_profiles;
  expect(profiles.map(({ cell_id }) => cell_id)).toEqual(['a', 'b', 'c', 'd']);
  expect(profiles[1]).toEqual({
    cell_id: 'b',
    cell_name: 'y',
    status: 'ready',
    duration_ms: 1,
    cache_hit: true,
    artifact_uri: 'svc://artifact/nb_n1_cell_b_var_y@v=1',
    execution_count: 2,
    total_ms: 5,
    saved_ms: 4,
    hits: 1,
    last_ms: 5,
  });
});
