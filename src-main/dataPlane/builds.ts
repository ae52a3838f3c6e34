import type { Logger } from '../observe/log.ts';
import type { Registry } from '../registry/registry.ts';
import type { BuildRequest } from '../registry/versionBuilds.ts';
import type { Party } from '../registry/versionRow.ts';
import type { Tier } from './admission/scanAdmission.ts';
import { BuildFailure, PlaneBuild, type Production } from './build.ts';
import { SCAN } from './executors.ts';

/** The running builds of the data plane by their provenance: requests for the same result share one. */
export class Builds {
  readonly #byKey = new Map<string, PlaneBuild>();
  readonly #all = new Set<PlaneBuild>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The build of this provenance for this tenant, if there is one. */
  find(provenanceHash: string, { tenant }: Party): PlaneBuild | null {
    const build = this.#byKey.get(keyOf(provenanceHash, tenant));
    return build === undefined || build.isOver ? null : build;
  }

  /** Registers a version that will be built. Its build waits until it is run. */
  add(
    registry: Registry,
    request: BuildRequest,
    {
      party,
      production,
      tier,
    }: { readonly party: Party; readonly production: Omit<Production, 'onFault'>; readonly tier: Tier },
  ): PlaneBuild {
    const build: PlaneBuild = new PlaneBuild(registry, {
      request,
      party,
      tier,
      production: {
        ...production,
        onFault: (err) => this.#log.error({ err, build_id: build.buildId }, 'a build failed'),
        release: async () => {
          this.#all.delete(build);
          const key = keyOf(request.provenanceHash, party.tenant);
          if (this.#byKey.get(key) === build) this.#byKey.delete(key);
          await production.release();
        },
      },
    });
    this.#byKey.set(keyOf(request.provenanceHash, party.tenant), build);
    this.#all.add(build);
    return build;
  }

  /** Ends a build that no client fetched in time. A running build continues. */
  expire(build: PlaneBuild): void {
    if (build.hasStarted) return;
    void build.cancel(
      new BuildFailure('STREAM_EXPIRED', 'The stream was not downloaded in time. Request it again.'),
    );
  }

  /** Fails waiting builds and running queries, and ends scans that still run after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const shutdownFailure = new BuildFailure(
      'SERVER_SHUTDOWN',
      'The server was shut down before the build ended.',
    );
    const all = [...this.#all];
    const isScan = ({ row }: PlaneBuild): boolean => row.transformSpec?.executor === SCAN;
    const atOnce = all.filter((build) => !build.hasStarted || !isScan(build));
    await Promise.all(atOnce.map((build) => build.cancel(shutdownFailure)));
    const running = all.filter(({ isOver }) => !isOver);
    if (running.length === 0) return;
    let timer: NodeJS.Timeout | null = null;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    const done = Promise.all(running.map((build) => build.run().catch(() => undefined)));
    await Promise.race([done, late]);
    if (timer !== null) clearTimeout(timer);
    await Promise.all(running.filter(({ isOver }) => !isOver).map((build) => build.cancel(shutdownFailure)));
  }
}

function keyOf(provenanceHash: string, tenant: string): string {
  return `${tenant}\0${provenanceHash}`;
}
