/**
 * Admission to the data plane: the limits of clients and tenants on scans and builds, and the refusal that
 * each limit gives.
 */

import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/loadConfig.ts';
import { BuildAdmission } from './buildAdmission.ts';
import { ScanAdmission, tierOf } from './scanAdmission.ts';
import { TurnTaking } from './turnTaking.ts';

const never = new AbortController().signal;
const DEFAULTS = loadConfig({ cwd: '/', env: {} });
const anyone = { client: 'a', tenant: '' };

async function refusalOf(work: Promise<unknown>) {
  const error = (await work.then(
    () => null,
    (reason: unknown) => reason,
  )) as { status: number; body: Record<string, unknown>; retryAfterSeconds: number } | null;
  return error === null ? null : { ...error.body, status: error.status, retry: error.retryAfterSeconds };
}

describe('turns', () => {
  it('[DP-30] are granted in order, up to the limit of each owner', async () => {
    const turns = new TurnTaking({ max: 3, maxPerOwner: 2 });
    const order: string[] = [];
    const take = (whose: string, name: string) =>
      turns.take(whose, never).then((end) => {
        order.push(name);
        return end;
      });
    const [a1, a2] = await Promise.all([take('a', 'a1'), take('a', 'a2')]);
    const a3 = take('a', 'a3');
    const endB = await take('b', 'b1');
    const b2 = take('b', 'b2');
    expect([order.join(' '), turns.active]).toEqual(['a1 a2 b1', 3]);
    a1();
    a1();
    await a3;
    expect(order.join(' ')).toBe('a1 a2 b1 a3');
    a2();
    await b2;
    endB();
    expect([turns.active, turns.activeOf('a')]).toEqual([2, 1]);
  });

  it('[DP-30] are not granted to clients that have left', async () => {
    const turns = new TurnTaking({ max: 1 });
    const end = await turns.take('a', never);
    const left = new AbortController();
    const waiting = turns.take('a', left.signal);
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    expect(await turns.takeWithin('a', 1, never)).toBeNull();
    end();
    expect(await turns.takeWithin('a', 60_000, never)).not.toBeNull();
  });
});

describe('scans', () => {
  const plan = (bytes: bigint, columns: number) =>
    ({ bytes, columns: Array(columns).fill({}), schema: { fields: Array(columns).fill({}) } }) as never; // the fields that tierOf reads

  it('[DP-31] a scan is interactive when it is small and names few columns', () => {
    expect(tierOf(plan(10_485_760n, 10), DEFAULTS, true)).toBe('interactive');
    expect(tierOf(plan(10_485_761n, 10), DEFAULTS, true)).toBe('bulk');
    expect(tierOf(plan(1n, 11), DEFAULTS, true)).toBe('bulk');
    expect(tierOf(plan(1n, 1), DEFAULTS, false)).toBe('bulk');
    expect(tierOf(plan(101n, 2), { ...DEFAULTS, interactiveMaxBytes: 100 }, true)).toBe('bulk');
    expect(tierOf(plan(1n, 2), { ...DEFAULTS, interactiveMaxColumns: 1 }, true)).toBe('bulk');
  });

  it.each([
    ['interactive', { perClientInteractive: 1 }],
    ['bulk', { perClientBulk: 1 }],
  ] as const)('[DP-32] each client has its own limit: %s', async (tier, config) => {
    const admission = new ScanAdmission({ ...DEFAULTS, ...config });
    const end = await admission.admit(tier, anyone, never);
    expect(await refusalOf(admission.admit(tier, anyone, never))).toEqual({
      error: 'per_client_limit',
      tier,
      status: 429,
      retry: 1,
    });
    (await admission.admit(tier, { ...anyone, client: 'b' }, never))();
    end();
    (await admission.admit(tier, anyone, never))();
  });

  it.each([
    ['interactive', { interactiveSlots: 1, perClientInteractive: 0, interactiveQueueTimeout: 0.01 }, 1],
    ['bulk', { bulkSlots: 1, perClientBulk: 0, bulkQueueTimeout: 0.01 }, 1],
  ] as const)('[DP-33] each tenant has its own slots: %s', async (tier, config, retry) => {
    const admission = new ScanAdmission({ ...DEFAULTS, ...config });
    const end = await admission.admit(tier, anyone, never);
    expect(await refusalOf(admission.admit(tier, anyone, never))).toEqual({
      error: 'too_many_requests',
      tier,
      status: 429,
      retry,
    });
    (await admission.admit(tier, { ...anyone, tenant: 'acme' }, never))();
    end();
    (await admission.admit(tier, anyone, never))();
  });
});

describe('builds', () => {
  const small = { outputBytes: 1, inputs: 1 };
  const QUICK = {
    buildQosPerTenantTimeout: 0.01,
    buildQosInteractiveTimeout: 0.01,
    buildQosBulkTimeout: 0.01,
  };

  it('[DP-34] each tenant has its own turns in each tier', async () => {
    const admission = new BuildAdmission({ ...DEFAULTS, ...QUICK });
    const ends = await Promise.all([1, 2, 3, 4].map(() => admission.admit('acme', small, never)));
    expect(await refusalOf(admission.admit('acme', small, never))).toMatchObject({
      error: 'tenant_at_capacity',
      tenant_id: 'acme',
      limit: 4,
      active: 4,
      retry_after_seconds: 1,
      status: 429,
      retry: 1,
    });
    (await admission.admit('other', small, never))();
    // Builds that are large or have many inputs are in another tier, with its own turns.
    for (const large of [
      { outputBytes: 104_857_601, inputs: 1 },
      { outputBytes: 1, inputs: 6 },
    ]) {
      ends.push(await admission.admit('acme', large, never));
    }
    expect(await refusalOf(admission.admit('acme', { outputBytes: 1, inputs: 6 }, never))).toMatchObject({
      limit: 2,
    });
    ends[0]?.();
    (await admission.admit('acme', small, never))();
  });

  it.each<[string, Partial<typeof DEFAULTS>, { outputBytes: number; inputs: number }]>([
    ['SVC_BUILD_QOS_PER_TENANT_INTERACTIVE', { buildQosPerTenantInteractive: 1 }, small],
    ['SVC_BUILD_QOS_PER_TENANT_BULK', { buildQosPerTenantBulk: 1 }, { outputBytes: 1e9, inputs: 1 }],
    // With these settings a small build counts as bulk, of which a tenant may have one here.
    [
      'SVC_BUILD_QOS_BULK_BYTES_THRESHOLD',
      { buildQosBulkBytesThreshold: 0, buildQosPerTenantBulk: 1 },
      small,
    ],
    [
      'SVC_BUILD_QOS_BULK_INPUTS_THRESHOLD',
      { buildQosBulkInputsThreshold: 0, buildQosPerTenantBulk: 1 },
      small,
    ],
  ])('[DP-34] %s changes the limit of a tenant', async (_name, change, estimate) => {
    const admission = new BuildAdmission({ ...DEFAULTS, ...QUICK, ...change });
    await admission.admit('acme', estimate, never);
    expect(await refusalOf(admission.admit('acme', estimate, never))).toMatchObject({ limit: 1, active: 1 });
  });

  it('[DP-35] all tenants share the slots of a tier', async () => {
    const admission = new BuildAdmission({
      ...DEFAULTS,
      ...QUICK,
      buildQosInteractiveSlots: 1,
      buildQosBulkSlots: 1,
    });
    const end = await admission.admit('acme', small, never);
    const refusal = await refusalOf(admission.admit('other', small, never));
    expect(refusal).toMatchObject({
      error: 'too_many_requests',
      tier: 'interactive',
      slots: 1,
      queue_timeout_seconds: 0.01,
      status: 429,
      retry_after_seconds: 1,
      queue_wait_ms: expect.any(Number),
      message: expect.any(String),
    });
    (await admission.admit('other', { outputBytes: 1e9, inputs: 1 }, never))();
    end();
    (await admission.admit('other', small, never))();
  });

  it.each<[string, Partial<typeof DEFAULTS>, object]>([
    ['SVC_BUILD_QOS_INTERACTIVE_TIMEOUT', { buildQosInteractiveTimeout: 0.03 }, small],
    ['SVC_BUILD_QOS_BULK_TIMEOUT', { buildQosBulkTimeout: 0.03 }, { outputBytes: 1e9, inputs: 1 }],
  ])('[DP-103] %s is how long a build waits for a slot', async (_name, change, estimate) => {
    const refusedWith = async (more: Partial<typeof DEFAULTS>) => {
      const one = { buildQosInteractiveSlots: 1, buildQosBulkSlots: 1 };
      const admission = new BuildAdmission({ ...DEFAULTS, ...QUICK, ...one, ...more });
      const build = { ...small, ...estimate };
      await admission.admit('acme', build, never);
      const startedAt = performance.now();
      const refusal = await refusalOf(admission.admit('other', build, never));
      return { ...refusal, waited: performance.now() - startedAt };
    };
    expect(await refusedWith({})).toMatchObject({ queue_timeout_seconds: 0.01 });
    const later = await refusedWith(change);
    expect(later).toMatchObject({ queue_timeout_seconds: 0.03 });
    expect(later.waited).toBeGreaterThan(25);
  });

  it('[DP-103] SVC_BUILD_QOS_PER_TENANT_TIMEOUT is how long a build waits for the turn of its tenant', async () => {
    const one = { buildQosPerTenantInteractive: 1, buildQosInteractiveTimeout: 60 };
    const admission = new BuildAdmission({ ...DEFAULTS, ...QUICK, ...one, buildQosPerTenantTimeout: 60 });
    const end = await admission.admit('acme', small, never);
    const waiting = admission.admit('acme', small, never);
    end();
    (await waiting)();
    const hasty = new BuildAdmission({ ...DEFAULTS, ...QUICK, ...one });
    await hasty.admit('acme', small, never);
    expect(await refusalOf(hasty.admit('acme', small, never))).toMatchObject({ error: 'tenant_at_capacity' });
  });

  it('[DP-36] the bytes per day are limited, and their count restarts at midnight', async () => {
    let now = 86_400 * 20_000 + 100;
    const admission = new BuildAdmission({ ...DEFAULTS, buildQosBytesPerDay: 1000 }, () => now);
    (await admission.admit('acme', small, never))();
    admission.count('acme', 1000);
    expect(await refusalOf(admission.admit('acme', small, never))).toMatchObject({
      error: 'quota_exceeded',
      tenant_id: 'acme',
      used_bytes: 1000,
      limit_bytes: 1000,
      reset_in_seconds: 86_300,
      retry_after_seconds: 86_300,
      status: 429,
    });
    (await admission.admit('other', small, never))();
    now += 86_300;
    (await admission.admit('acme', small, never))();
  });
});
