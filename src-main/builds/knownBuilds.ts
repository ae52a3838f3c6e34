/** The signed builds that this server process answers requests for. */

import type { BuildEnd } from './build.ts';
import type { BuildPlace } from './buildPlace.ts';
import { BuildRefusal } from './buildRefusal.ts';
import type { BuildStore } from './buildStore.ts';
import { endBuild, type ServedBuild } from './servedBuild.ts';
import { checkSignature, type Query, type SignedPayload, textOf } from './signedUrls.ts';

/** How many ended builds stay in memory. */
const MAX_ENDED = 200;

/** The builds this process serves: its own, and those of dead processes that a client asks for. */
export interface KnownBuilds {
  add(build: ServedBuild): void;
  find(buildId: string): Promise<ServedBuild | null>;
  /** The build of a signed URL. @throws BuildRefusal 403, 404 */
  signed(payload: SignedPayload & { readonly build_id: string }, query: Query): Promise<ServedBuild>;
  /** Ends a build, if it has not ended. Resolves when that is stored. */
  end(build: ServedBuild, how: BuildEnd): Promise<void>;
}

export function createKnownBuilds({
  key,
  buildStore,
  place,
  nowSeconds,
}: {
  readonly key: string;
  readonly buildStore: BuildStore | null;
  readonly place: BuildPlace;
  readonly nowSeconds: () => number;
}): KnownBuilds {
  const builds = new Map<string, ServedBuild>();
  const adopting = new Map<string, Promise<ServedBuild | null>>();
  const adopt = async (buildId: string): Promise<ServedBuild | null> => {
    try {
      const build = (await buildStore?.adopt(buildId)) ?? null;
      if (build !== null) builds.set(buildId, build);
      return build;
    } finally {
      adopting.delete(buildId);
    }
  };
  const find: KnownBuilds['find'] = async (buildId) => {
    const build = builds.get(buildId);
    if (build !== undefined) return build;
    const adoption = adopting.get(buildId) ?? adopt(buildId);
    adopting.set(buildId, adoption);
    return adoption;
  };
  return {
    add: (build) => void builds.set(build.buildId, build),
    find,
    async signed(payload, query) {
      const signature = textOf(query, 'signature');
      const build = await find(payload.build_id);
      checkSignature(build?.key ?? key, payload, { signature, nowSeconds: nowSeconds() });
      if (build === null) throw new BuildRefusal(404, 'Build not found');
      return build;
    },
    async end(build, how) {
      if (!endBuild(build, how, nowSeconds())) return;
      const endedBuilds = [...builds.values()].filter((one) => one.end !== null);
      for (const old of endedBuilds.slice(0, Math.max(0, endedBuilds.length - MAX_ENDED)))
        builds.delete(old.buildId);
      place.clear(build);
      await buildStore?.write(build);
    },
  };
}
