import type { Config } from '../../config/variables.ts';
import type { ScanPlan } from '../../iceberg/plan/planScan.ts';
import { PlaneRefusal } from '../planeRefusal.ts';
import { estimatedBytes } from '../scan.ts';
import { TurnTaking } from './turnTaking.ts';

export type Tier = 'interactive' | 'bulk';

export type AdmissionSettings = Pick<
  Config,
  | 'interactiveSlots'
  | 'bulkSlots'
  | 'interactiveMaxBytes'
  | 'interactiveMaxColumns'
  | 'interactiveQueueTimeout'
  | 'bulkQueueTimeout'
  | 'perClientInteractive'
  | 'perClientBulk'
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

/** Turns of scans, for each tier: first those of one client, then those of one tenant. */
export class ScanAdmission {
  readonly #tiers: Readonly<Record<Tier, TierTurns>>;

  constructor(s: AdmissionSettings) {
    this.#tiers = {
      interactive: tierTurns({
        ...{ slots: s.interactiveSlots, perClient: s.perClientInteractive },
        queueSeconds: s.interactiveQueueTimeout,
      }),
      bulk: tierTurns({ slots: s.bulkSlots, perClient: s.perClientBulk, queueSeconds: s.bulkQueueTimeout }),
    };
  }

  /** Waits for a turn. @returns ends it. @throws PlaneRefusal 429 */
  async admit(
    tier: Tier,
    { client, tenant }: { readonly client: string; readonly tenant: string },
    signal: AbortSignal,
  ): Promise<() => void> {
    const { byClient, byTenant, queueSeconds } = this.#tiers[tier];
    const endClient =
      byClient === null ? () => undefined : await byClient.takeWithin(client, CLIENT_WAIT_MS, signal);
    if (endClient === null) throw refused('per_client_limit', tier, 1);
    let endTenant: (() => void) | null = null;
    try {
      endTenant = await byTenant.takeWithin(tenant, queueSeconds * 1000, signal);
      if (endTenant === null) {
        throw refused('too_many_requests', tier, Math.max(1, Math.trunc(queueSeconds / 2)));
      }
    } finally {
      if (endTenant === null) endClient();
    }
    const end = endTenant;
    return () => {
      end();
      endClient();
    };
  }
}

interface TierTurns {
  readonly byClient: TurnTaking | null;
  readonly byTenant: TurnTaking;
  readonly queueSeconds: number;
}

function tierTurns({
  slots,
  perClient,
  queueSeconds,
}: {
  readonly slots: number;
  readonly perClient: number;
  readonly queueSeconds: number;
}): TierTurns {
  const ofOne = (mostOfOne: number) => new TurnTaking({ most: Number.POSITIVE_INFINITY, mostOfOne });
  return { byClient: perClient === 0 ? null : ofOne(perClient), byTenant: ofOne(slots), queueSeconds };
}

function refused(error: 'per_client_limit' | 'too_many_requests', tier: Tier, retryAfterSeconds: number) {
  return new PlaneRefusal(429, 'Too many scans are running. Try again later.', {
    body: { error, tier },
    retryAfterSeconds,
  });
}
