/** Admission of builds in the data plane: waits for a turn within the limits of tenant and server. */

import type { Config } from '../../config/variables.ts';
import { PlaneRefusal } from '../planeRefusal.ts';
import type { Tier } from './scanAdmission.ts';
import { TurnTaking } from './turnTaking.ts';

type BuildSettings = Pick<
  Config,
  | 'buildQosInteractiveSlots'
  | 'buildQosBulkSlots'
  | 'buildQosPerTenantInteractive'
  | 'buildQosPerTenantBulk'
  | 'buildQosInteractiveTimeout'
  | 'buildQosBulkTimeout'
  | 'buildQosPerTenantTimeout'
  | 'buildQosBytesPerDay'
  | 'buildQosBulkBytesThreshold'
  | 'buildQosBulkInputsThreshold'
>;

/** The expected size of a build. */
export interface BuildEstimate {
  readonly outputBytes: number;
  readonly inputs: number;
}

const DAY_SECONDS = 86_400;

/** Admits builds: checks the bytes a tenant may build in a day, then its turns, then the turns of all tenants. */
export class BuildAdmission {
  readonly #settings: BuildSettings;
  readonly #now: () => number;
  readonly #tenants: Readonly<Record<Tier, TurnTaking>>;
  readonly #tiers: Readonly<Record<Tier, TurnTaking>>;
  /** Bytes that each tenant built on the day. */
  #used = new Map<string, number>();
  #day = 0;

  /** @param now epoch seconds */
  constructor(settings: BuildSettings, now: () => number = () => Date.now() / 1000) {
    this.#settings = settings;
    this.#now = now;
    const limitedTo = (maxPerOwner: number) => new TurnTaking({ max: Number.POSITIVE_INFINITY, maxPerOwner });
    this.#tenants = {
      interactive: limitedTo(settings.buildQosPerTenantInteractive),
      bulk: limitedTo(settings.buildQosPerTenantBulk),
    };
    this.#tiers = {
      interactive: new TurnTaking({ max: settings.buildQosInteractiveSlots }),
      bulk: new TurnTaking({ max: settings.buildQosBulkSlots }),
    };
  }

  /** Waits for a turn. @returns a function that ends the turn. @throws PlaneRefusal 429 */
  async admit(tenant: string, estimate: BuildEstimate, signal: AbortSignal): Promise<() => void> {
    this.#checkQuota(tenant);
    const s = this.#settings;
    const isBulk =
      estimate.outputBytes > s.buildQosBulkBytesThreshold || estimate.inputs > s.buildQosBulkInputsThreshold;
    const tier: Tier = isBulk ? 'bulk' : 'interactive';
    const own = this.#tenants[tier];
    const endOwn = await own.takeWithin(tenant, s.buildQosPerTenantTimeout * 1000, signal);
    if (endOwn === null) {
      const limit = isBulk ? s.buildQosPerTenantBulk : s.buildQosPerTenantInteractive;
      throw refused(
        'tenant_at_capacity',
        'The tenant has reached its limit of running builds. Try again later.',
        1,
        {
          tenant_id: shownTenant(tenant),
          limit,
          active: own.activeOf(tenant),
        },
      );
    }
    const startedMs = performance.now();
    const timeout = isBulk ? s.buildQosBulkTimeout : s.buildQosInteractiveTimeout;
    let endTier: (() => void) | null = null;
    try {
      endTier = await this.#tiers[tier].takeWithin(tier, timeout * 1000, signal);
    } finally {
      if (endTier === null) endOwn();
    }
    if (endTier === null) {
      const slots = isBulk ? s.buildQosBulkSlots : s.buildQosInteractiveSlots;
      throw refused(
        'too_many_requests',
        'Too many builds are running. Try again later.',
        Math.max(1, Math.trunc(timeout / 2)),
        {
          tier,
          slots,
          queue_timeout_seconds: timeout,
          queue_wait_ms: Math.round(performance.now() - startedMs),
        },
      );
    }
    const end = endTier;
    return () => {
      end();
      endOwn();
    };
  }

  /** Counts the bytes of a finished build. */
  count(tenant: string, bytes: number): void {
    this.#turnDay();
    this.#used.set(tenant, (this.#used.get(tenant) ?? 0) + bytes);
  }

  #checkQuota(tenant: string): void {
    this.#turnDay();
    const limit = this.#settings.buildQosBytesPerDay;
    const used = this.#used.get(tenant) ?? 0;
    if (limit === null || used < limit) return;
    const reset = Math.ceil((this.#day + 1) * DAY_SECONDS - this.#now());
    throw refused(
      'quota_exceeded',
      'The tenant has reached its daily limit of built bytes. Try again tomorrow.',
      reset,
      {
        tenant_id: shownTenant(tenant),
        used_bytes: used,
        limit_bytes: limit,
        reset_in_seconds: reset,
      },
    );
  }

  /** The quota is reset at midnight UTC. */
  #turnDay(): void {
    const day = Math.floor(this.#now() / DAY_SECONDS);
    if (day === this.#day) return;
    this.#day = day;
    this.#used = new Map();
  }
}

function shownTenant(tenant: string): string {
  return tenant === '' ? '_default' : tenant;
}

function refused(
  error: string,
  message: string,
  retryAfterSeconds: number,
  more: Readonly<Record<string, unknown>>,
): PlaneRefusal {
  return new PlaneRefusal(429, message, {
    body: { error, message, ...more, retry_after_seconds: retryAfterSeconds },
    retryAfterSeconds,
  });
}
