/** Admission of scans in the data plane: waits for a turn within the limits of client and tenant. */

import type { Config } from '../../config/variables.ts';
import type { ScanPlan } from '../../iceberg/plan/planScan.ts';
import { PlaneRefusal } from '../planeRefusal.ts';
import { estimatedBytes } from '../scan.ts';
import { AdaptiveSlots } from './adaptiveSlots.ts';
import { TurnTaking } from './turnTaking.ts';

export type Tier = 'interactive' | 'bulk';

type AdmissionSettings = Pick<
  Config,
  | 'interactiveSlots'
  | 'bulkSlots'
  | 'interactiveMaxBytes'
  | 'interactiveMaxColumns'
  | 'interactiveQueueTimeout'
  | 'bulkQueueTimeout'
  | 'perClientInteractive'
  | 'perClientBulk'
  | 'adaptiveEnabled'
  | 'adaptiveIntervalSeconds'
  | 'adaptiveTargetP95Ms'
  | 'adaptiveMinInteractive'
  | 'adaptiveMaxInteractive'
  | 'adaptiveMinBulk'
  | 'adaptiveMaxBulk'
  | 'adaptiveHysteresis'
>;

/** How long a client waits for one of its own turns. */
const CLIENT_WAIT_MS = 1000;

/** Small scans that name their columns are interactive; everything else is bulk. */
export function tierOf(
  plan: ScanPlan,
  { interactiveMaxBytes, interactiveMaxColumns }: AdmissionSettings,
  columnsAreNamed: boolean,
): Tier {
  const isSmall = estimatedBytes(plan) <= interactiveMaxBytes && plan.columns.length <= interactiveMaxColumns;
  return columnsAreNamed && isSmall ? 'interactive' : 'bulk';
}

/** Admits scans per tier: checks the turns of the client, then those of the tenant. */
export class ScanAdmission {
  readonly #tiers: Readonly<Record<Tier, TierTurns>>;

  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout | null;

  /** @param now milliseconds of a monotonic clock */
  constructor(s: AdmissionSettings, now: () => number = () => performance.now()) {
    const adaptive = (slots: number, min: number, max: number): AdaptiveSlots | null => {
      const range = { min, max, targetP95Ms: s.adaptiveTargetP95Ms, hysteresis: s.adaptiveHysteresis };
      return s.adaptiveEnabled ? new AdaptiveSlots(slots, range) : null;
    };
    this.#now = now;
    this.#tiers = {
      interactive: tierTurns({
        slots: s.interactiveSlots,
        perClient: s.perClientInteractive,
        queueSeconds: s.interactiveQueueTimeout,
        adaptive: adaptive(s.interactiveSlots, s.adaptiveMinInteractive, s.adaptiveMaxInteractive),
      }),
      bulk: tierTurns({
        slots: s.bulkSlots,
        perClient: s.perClientBulk,
        queueSeconds: s.bulkQueueTimeout,
        adaptive: adaptive(s.bulkSlots, s.adaptiveMinBulk, s.adaptiveMaxBulk),
      }),
    };
    this.#timer = s.adaptiveEnabled
      ? setInterval(() => this.#adjust(), s.adaptiveIntervalSeconds * 1000).unref()
      : null;
  }

  /** Stops the adjustment of the slots. */
  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  #adjust(): void {
    for (const { adaptive, byTenant } of Object.values(this.#tiers)) {
      if (adaptive !== null) byTenant.limitEach(adaptive.adjust(this.#now()));
    }
  }

  /** Waits for a turn. @returns a function that ends the turn. @throws PlaneRefusal 429 */
  async admit(
    tier: Tier,
    { client, tenant }: { readonly client: string; readonly tenant: string },
    signal: AbortSignal,
  ): Promise<() => void> {
    const { byClient, byTenant, queueSeconds, adaptive } = this.#tiers[tier];
    const endClient =
      byClient === null ? () => undefined : await byClient.takeWithin(client, CLIENT_WAIT_MS, signal);
    if (endClient === null) throw refused('per_client_limit', tier, 1);
    let endTenant: (() => void) | null = null;
    const askedAt = this.#now();
    try {
      endTenant = await byTenant.takeWithin(tenant, queueSeconds * 1000, signal);
      adaptive?.waited(this.#now() - askedAt, this.#now());
      if (endTenant === null) {
        throw refused('too_many_requests', tier, Math.max(1, Math.trunc(queueSeconds / 2)));
      }
    } finally {
      if (endTenant === null) endClient();
    }
    const end = endTenant;
    const begunAt = this.#now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      adaptive?.held(this.#now() - begunAt, this.#now());
      end();
      endClient();
    };
  }
}

interface TierTurns {
  readonly byClient: TurnTaking | null;
  readonly byTenant: TurnTaking;
  readonly queueSeconds: number;
  /** Null: the slots are not adjusted. */
  readonly adaptive: AdaptiveSlots | null;
}

function tierTurns({
  slots,
  perClient,
  queueSeconds,
  adaptive,
}: {
  readonly slots: number;
  readonly perClient: number;
  readonly queueSeconds: number;
  readonly adaptive: AdaptiveSlots | null;
}): TierTurns {
  const limitedTo = (maxPerOwner: number) => new TurnTaking({ max: Number.POSITIVE_INFINITY, maxPerOwner });
  return {
    byClient: perClient === 0 ? null : limitedTo(perClient),
    byTenant: limitedTo(slots),
    queueSeconds,
    adaptive,
  };
}

function refused(error: 'per_client_limit' | 'too_many_requests', tier: Tier, retryAfterSeconds: number) {
  return new PlaneRefusal(429, 'Too many scans are running. Try again later.', {
    body: { error, tier },
    retryAfterSeconds,
  });
}
