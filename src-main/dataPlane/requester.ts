/** The client that makes a request to the data plane. */

import type { Party } from '../registry/versionRow.ts';

/** Who makes the request. */
export interface Requester {
  readonly party: Party;
  /** The IP address of the client; admission counts requests per address. */
  readonly client: string;
  readonly hasScope: (scope: string) => boolean;
}
