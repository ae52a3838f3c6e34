/** One version of the data plane while it is built; all callers of the same request share it. */

import { Readable } from 'node:stream';
import type { RecordBatch, Schema } from 'apache-arrow';
import { withinDeadline } from '../iceberg/deadline.ts';
import { IcebergError } from '../iceberg/icebergError.ts';
import { ipcStream } from '../iceberg/read/ipcStream.ts';
import type { EncodedRows, Scan } from '../iceberg/read/readScan.ts';
import { schemaJsonOf } from '../registry/arrowBytes.ts';
import { BodyTooLarge } from '../registry/blobFiles.ts';
import type { Registry } from '../registry/registry.ts';
import type { BuildRequest } from '../registry/versionBuilds.ts';
import { type Party, uriOf, type VersionRow } from '../registry/versionRow.ts';
import { SqlError } from '../sql/sqlError.ts';
import type { Tier } from './admission/scanAdmission.ts';
import { PlaneRefusal, refusalOf } from './planeRefusal.ts';
import { killPoint } from './planeSteps.ts';

/** How the bytes of a version are produced. */
export interface Production {
  /** For messages: `Scanning`, `Building`. */
  readonly what: string;
  readonly timeoutSeconds: number;
  readonly maxBytes: number;
  /** Waits until the build may run. @returns a function that ends its turn */
  readonly turn: (signal: AbortSignal) => Promise<() => void>;
  /** The rows; the signal ends the work. */
  readonly rows: (signal: AbortSignal) => Promise<Scan>;
  /** Frees what was opened for the build, whether or not it ran. */
  readonly release: () => Promise<void>;
  /** Called with unexpected failures. */
  readonly onFault: (error: unknown) => void;
}

/** Why a build failed: a code and a message. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * One version while it is built. The build runs once for all callers. Its bytes are complete and on disk before the
 * version is ready, so that a crash leaves the whole version or none.
 */
export class PlaneBuild {
  readonly row: VersionRow;
  readonly buildId: string;
  readonly party: Party;
  /** The tier in which streams of this version take their turns. */
  readonly tier: Tier;
  readonly #registry: Registry;
  readonly #production: Production;
  readonly #names: { readonly name: string; readonly party: Party }[];
  readonly #abort = new AbortController();
  #result: Promise<VersionRow> | null = null;
  #isOver = false;

  constructor(
    registry: Registry,
    {
      request,
      party,
      tier,
      production,
    }: { request: BuildRequest; party: Party; tier: Tier; production: Production },
  ) {
    this.#registry = registry;
    this.#production = production;
    this.#names = request.name === null ? [] : [{ name: request.name, party }];
    this.party = party;
    this.tier = tier;
    const { row, buildId } = registry.builds.begin(request, party);
    this.row = row;
    this.buildId = buildId;
    killPoint('build_promised');
  }

  get uri(): string {
    return uriOf(this.row);
  }

  get hasStarted(): boolean {
    return this.#result !== null;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** A name that another request for the same result gives the version. */
  alsoName(name: string, party: Party): void {
    this.#names.push({ name, party });
  }

  /** Runs the build, once. @returns the version that answers for the provenance. @throws BuildFailure, PlaneRefusal */
  run(): Promise<VersionRow> {
    this.#result ??= this.#run();
    // Waiting callers get the failure; the record of the build has it in any case.
    this.#result.catch(() => undefined);
    return this.#result;
  }

  /** Stops a running build, or fails one that never started. */
  async cancel(why: BuildFailure): Promise<void> {
    this.#abort.abort(why);
    await this.run().catch(() => undefined);
  }

  async #run(): Promise<VersionRow> {
    const { turn, release } = this.#production;
    let endTurn: (() => void) | null = null;
    try {
      this.#abort.signal.throwIfAborted();
      endTurn = await turn(this.#abort.signal);
      this.#registry.builds.start(this.buildId);
      killPoint('build_started');
      return await this.#store();
    } catch (error) {
      const failure = this.#failureOf(error);
      this.#registry.builds.fail(this, failure);
      throw error instanceof PlaneRefusal && endTurn === null ? error : failure;
    } finally {
      this.#isOver = true;
      endTurn?.();
      await release();
    }
  }

  async #store(): Promise<VersionRow> {
    const { what, timeoutSeconds, maxBytes, rows } = this.#production;
    const registry = this.#registry;
    const limit = { milliseconds: timeoutSeconds * 1000, what, signal: this.#abort.signal };
    const { blob, facts } = await withinDeadline(async (signal) => {
      const { schema, batches } = await rows(signal);
      const counter = { rows: 0 };
      const stream = ipcStream({ schema, batches: counted(batches, counter, signal) });
      const blob = await registry.receive(Readable.from(stream, { highWaterMark: 1 }), maxBytes);
      if (signal.aborted) {
        // No caller waits any more, and nothing else refers to the file.
        registry.discard(blob);
        throw signal.reason;
      }
      return { blob, facts: factsOf(schema, counter.rows) };
    }, limit);
    try {
      killPoint('rows_received');
      const answer = registry.builds.finish(this, blob, facts);
      killPoint('build_finished');
      for (const { name, party } of this.#names) registry.names.set(name, answer, party);
      killPoint('named');
      return answer;
    } finally {
      registry.discard(blob);
    }
  }

  #failureOf(error: unknown): BuildFailure {
    const reason = this.#abort.signal.aborted ? this.#abort.signal.reason : refusalOf(error);
    if (reason instanceof BuildFailure) return reason;
    if (reason instanceof BodyTooLarge) {
      const message = `The result has more than ${this.#production.maxBytes.toLocaleString('en-US')} bytes. Read fewer columns or rows, or raise the limit of the server.`;
      return new BuildFailure('OUTPUT_TOO_LARGE', message);
    }
    if (reason instanceof PlaneRefusal) {
      const isLate = error instanceof IcebergError && error.kind === 'timeout';
      return new BuildFailure(isLate ? 'TIMEOUT' : 'BUILD_FAILED', reason.message);
    }
    if (reason instanceof SqlError) return new BuildFailure('BUILD_FAILED', reason.message);
    this.#production.onFault(error);
    return new BuildFailure(
      'INTERNAL_ERROR',
      'The build failed because of an internal error. The server log has the details.',
      {
        cause: error,
      },
    );
  }
}

async function* counted(
  batches: Scan['batches'],
  counter: { rows: number },
  signal: AbortSignal,
): AsyncGenerator<RecordBatch | EncodedRows> {
  for await (const batch of batches) {
    signal.throwIfAborted();
    counter.rows += batch.numRows;
    yield batch;
    killPoint('batch_written');
  }
}

function factsOf(schema: Schema, rowCount: number): { rowCount: number; schemaJson: string } {
  return { rowCount, schemaJson: schemaJsonOf(schema) };
}
