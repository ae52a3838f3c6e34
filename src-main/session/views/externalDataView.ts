/** Reads the external data of a session's notebook: mounts, tables of connections, and first rows. */

import type { ListedMount } from '../../../src-shared/wire/routes/extensions.ts';
import type { SqlStepOptions } from '../../run/sql/sqlStepOptions.ts';
import type { Sample } from '../../sql/readSample.ts';
import { dataSample, type SampleSource } from '../effects/dataSample.ts';
import { type ConnectionSchema, probeSessionConnection } from '../effects/probeSessionConnection.ts';
import type { SessionState } from '../state/state.ts';
import { listedMounts } from '../view/listedMounts.ts';

/** The external data of the notebook. */
export interface ExternalDataView {
  /** The external data that cells use, each with its last known state. */
  mounts(): readonly ListedMount[];
  /**
   * Connects as a reading cell would and returns the tables, or only tests the connection. @throws AppError
   * not_found, NOTEBOOK_UNTRUSTED, bad_request with the database's message
   */
  probeConnection(name: string, what: 'schema'): Promise<ConnectionSchema>;
  probeConnection(name: string, what: 'test'): Promise<null>;
  /** The first rows of data that no cell has read; throws as `probeConnection`. */
  sample(sampled: SampleSource): Promise<Sample>;
}

/** Creates the view of one session's external data. */
export function createExternalDataView(
  { sql }: { readonly sql: SqlStepOptions | null },
  access: {
    readonly state: () => SessionState;
    /** Records activity, so that the session does not count as idle. */
    readonly touch: () => void;
    /** The end of the session waits for the work; `what` names it in the log. */
    readonly inBackground: (work: Promise<unknown>, what: string) => void;
  },
): ExternalDataView {
  const { state, touch, inBackground } = access;
  /** The caller gets the error. */
  const tracked = <T>(work: Promise<T>, what: string): Promise<T> => {
    inBackground(
      work.catch(() => undefined),
      what,
    );
    return work;
  };
  function probeConnection(name: string, what: 'schema'): Promise<ConnectionSchema>;
  function probeConnection(name: string, what: 'test'): Promise<null>;
  async function probeConnection(name: string, what: 'schema' | 'test'): Promise<ConnectionSchema | null> {
    touch();
    const schema = await tracked(
      probeSessionConnection(state(), { name, what, sql }),
      'looking at a connection',
    );
    return what === 'test' ? null : schema;
  }
  return {
    mounts: () => listedMounts(state()),
    probeConnection,
    async sample(sampled) {
      touch();
      return tracked(dataSample(state(), sampled, sql), 'reading the first rows of data');
    },
  };
}
