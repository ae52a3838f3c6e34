/**
 * Tests every REST route of a real server against its contract: a valid call, unknown ids, invalid bodies, refusals.
 */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ParsedRouteName, ROUTES, type RouteName } from '../../src-shared/wire/routes/all.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { longTest } from '../support/longRun.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { whyNoSshd } from '../support/sshServer.ts';
import { SPOILT_ENVIRONMENT_CALLS } from './environmentCalls.ts';
import { goodCalls } from './goodCalls.ts';
import { type Call, REFUSED } from './refusedCalls.ts';
import { openRouteWorld, pathOf, type RouteWorld } from './routeWorld.ts';

let world: RouteWorld;
beforeAll(async () => {
  world = await openRouteWorld();
});
afterAll(() => world.dispose());

function send(name: RouteName, call: Call) {
  return rest<Record<string, unknown>>(
    world.server.url,
    ROUTES[name].method,
    pathOf(world, name, call),
    call.form ?? call.body,
  );
}

const GOOD = goodCalls(() => world);
const refusable = new Map<ParsedRouteName, Promise<Call>>();
/** A valid call to make invalid. The server never executes the invalid ones, so one call serves all of a route. */
function callToSpoil(name: ParsedRouteName): Promise<Call> {
  const call = refusable.get(name) ?? Promise.resolve(SPOILT_ENVIRONMENT_CALLS[name] ?? GOOD[name]());
  refusable.set(name, call);
  return call;
}

const NAMES = Object.keys(GOOD) as ParsedRouteName[];
const NEEDS_SSH: readonly RouteName[] = ['connectSshWorker', 'workerLog'];

describe('every route', () => {
  for (const name of NAMES) {
    const route = ROUTES[name];
    it(`[RE-30] ${name} follows its contract`, async (context) => {
      if (NEEDS_SSH.includes(name) && whyNoSshd !== null) return context.skip(whyNoSshd);
      const answer = await send(name, await GOOD[name]());
      const { statuses = [200] }: RouteContract = route;
      expect(statuses, JSON.stringify(answer.body)).toContain(answer.status);
      if (route.response !== 'bytes') expect(route.response.safeParse(answer.body).error).toBe(undefined);
    });

    if (route.path.includes('{sid}')) {
      it(`[RE-31] ${name} of an unknown session is 404`, async () => {
        const call = await callToSpoil(name);
        const answer = await send(name, { ...call, params: { ...call.params, sid: 'nobody' } });
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({ detail: expect.stringMatching(/not found/) });
      });
    }
    if (route.path.includes('{cell_id}')) {
      it(`[RE-32] ${name} of an unknown cell is 404`, async () => {
        const call = await callToSpoil(name);
        const answer = await send(name, { ...call, params: { ...call.params, cell_id: 'nobody01' } });
        expect(answer.status).toBe(404);
      });
    }
    if ('body' in route) {
      for (const [what, body] of [
        ['a list', []],
        [
          'wrong types',
          {
            path: 1,
            name: {},
            source: 1,
            cell_ids: 'x',
            parent_path: [],
            language: 'cobol',
            after_cell_id: 5,
            paths: 'x',
            mode: 1,
            max_bytes: 'x',
            timeout_seconds: 'x',
            package: 1,
            action: 'sing',
            requirements: 1,
            environment_yaml: 1,
            python_version: 1,
            add: 1,
            mounts: 'x',
            connections: 'x',
            authors: 'x',
            workers: 'x',
            timeout: 'x',
            env: 'x',
            auto_run: 'x',
            layout: 1,
          },
        ],
      ] as const) {
        // everyRoute.test.ts sends these to every route of an unknown session, which checks the body in the same way.
        longTest('e2e/contract/everyRoute.test.ts')(
          `[RE-33] ${name} with ${what} is 422 with loc, msg and type`,
          async () => {
            const answer = await send(name, { ...(await callToSpoil(name)), body });
            expect(answer.status).toBe(422);
            expect(answer.body['detail']).toEqual(
              expect.arrayContaining([
                expect.objectContaining({
                  loc: expect.arrayContaining(['body']),
                  msg: expect.any(String),
                  type: expect.any(String),
                }),
              ]),
            );
          },
        );
      }
    }
  }
});

describe('refusals', () => {
  for (const { name, route, call, status } of REFUSED) {
    it(`[RE-34] ${route}: ${name} is ${status}`, async () => {
      const answer = await send(route, call(world));
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    });
  }

  it('[RE-35] while a cell runs, a second run, a deletion and a close are 409', async () => {
    const busy = await openNotebook(world.server, join(world.root, 'busy'), [
      { id: 'slow0001', source: 'import time\ntime.sleep(30)' },
      { id: 'other001', source: '1' },
    ]);
    const base = `/v1/notebooks/${busy.sid}/cells`;
    const running = rest<{ status: string; error_code: string }>(
      world.server.url,
      'POST',
      `${base}/slow0001/execute`,
    );
    await expect.poll(async () => (await busy.cell('slow0001')).status).toBe('running');
    const second = await rest<{ detail: string }>(world.server.url, 'POST', `${base}/other001/execute`);
    expect(second.status).toBe(409);
    expect(second.body.detail).toBe('Notebook is already executing cell slow0001');
    expect((await rest(world.server.url, 'DELETE', `${base}/slow0001`)).status).toBe(409);
    expect((await busy.close()).status).toBe(409);
    const cancelled = await rest(world.server.url, 'POST', `${base}/slow0001/cancel`);
    expect(cancelled.body).toEqual({ cell_id: 'slow0001', cancelled: true, status: 'idle' });
    expect(await running).toMatchObject({ status: 200, body: { status: 'error', error_code: 'cancelled' } });
    expect((await rest(world.server.url, 'POST', `${base}/slow0001/cancel`)).body).toMatchObject({
      cancelled: false,
    });
  });
});
