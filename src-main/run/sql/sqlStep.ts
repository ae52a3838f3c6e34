/** Runs a SQL cell as one step of a run: from a stored result if the data is unchanged, else by a query. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DriverName } from '../../../src-shared/sql/dialect.ts';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { CredentialSources } from '../../mount/credentials.ts';
import { provenanceLine } from '../../mount/dataItem.ts';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';
import type { BoundStatement, Frame } from '../../sql/driver.ts';
import { frameNames } from '../../sql/frameNames.ts';
import { explainMissing } from '../../sql/inMemory.ts';
import { type CellStatement, errorText, hasCatalog, positionInSource, readCell } from '../../sql/readCell.ts';
import { SqlError } from '../../sql/sqlError.ts';
import { SqlAborted, type SqlAsker, type SqlThreads } from '../../sql/sqlThreads.ts';
import { answerFromStore } from '../answerFromStore.ts';
import type { LanguageStep } from '../languageStep.ts';
import { publishRun } from '../publish.ts';
import { makeScratch, removeScratch } from '../scratchFolder.ts';
import type { SqlStep, StepOutcome } from '../step.ts';
import { failedStep, lostInput, prepareData, type StepOptions, type StepTools } from '../stepParts.ts';
import { findTeamResult } from '../team/findTeamResult.ts';
import { publishToTeam } from '../team/publishToTeam.ts';
import { isShared, type NotShared, type Sharing } from '../team/sharing.ts';
import { bindInputs, frameInputs } from './bindInputs.ts';
import { callsOfStatements, storedSnapshot, tablesOfStatements } from './keyInputs.ts';
import { type ConnectionFacts, createKnownConnections, type KnownConnections } from './knownConnections.ts';
import { knownCatalogs, resolveConnection } from './resolveConnection.ts';
import { type RunKey, type RunKeyParts, runKey } from './runKey.ts';
import { sqlSharing } from './sqlSharing.ts';
import type { AttachedProperties, Catalogs, SqlUse } from './sqlUse.ts';
import { resultOf, TABLE_FILE, writeStatusTable } from './tableResult.ts';

/** What the steps of SQL cells need from the program. */
export interface SqlStepOptions {
  readonly threads: SqlThreads;
  readonly credentials: Omit<CredentialSources, 'notebookEnv' | 'byScheme'>;
  readonly now?: () => number;
  /** The server's catalogs; a notebook's catalog of the same name takes precedence. */
  readonly catalogs?: Catalogs;
  /** Catalogs that a user attached, as of the run; those of the notebook and the server take precedence. */
  readonly attachedCatalogs?: () => Promise<AttachedProperties>;
  /** The release of the engine: results are shared among servers with the same one. */
  readonly engine?: string;
  /** Whether the server is for several people and gives no access to its own files (docs/spec/sql.md, 3). */
  readonly confined?: boolean;
}

/**
 * Runs SQL cells: reads, binds, checks whether the data changed, and queries the database only if it did
 * (docs/spec/sql.md, 2).
 */
export function createSqlStep(options: SqlStepOptions): LanguageStep<'sql'> {
  const connections = createKnownConnections(options.now);
  return async (tools, request, stepOptions) => {
    const startedAt = performance.now();
    const run = new SqlRun(tools, request, { ...options, ...stepOptions, known: connections });
    const outcome = await run.outcome();
    return { ...outcome, durationMs: performance.now() - startedAt };
  };
}

type Untimed<T> = T extends unknown ? Omit<T, 'durationMs'> : never;
type Outcome = Untimed<StepOutcome>;

const CANCELLED: Outcome = { kind: 'cancelled', stdout: '', stderr: '' };

/** A cell ready to query its database: everything that can be checked without one is valid. */
interface Ready extends Omit<RunKeyParts, 'nowMs'> {
  readonly bound: readonly BoundStatement[];
  /** Data frames that its statements use like tables. */
  readonly frames: readonly Frame[];
}

type RunOptions = SqlStepOptions & StepOptions & { readonly known: KnownConnections };

/** One run of one SQL cell. */
class SqlRun {
  readonly #tools: StepTools;
  readonly #request: SqlStep;
  readonly #options: RunOptions;
  #statements: readonly CellStatement[] = [];

  constructor(tools: StepTools, request: SqlStep, options: RunOptions) {
    this.#tools = tools;
    this.#request = request;
    this.#options = options;
  }

  async outcome(): Promise<Outcome> {
    const outputDir = join(this.#tools.scratchDir, `run-${this.#options.runId}`);
    makeScratch(outputDir);
    try {
      return await this.#run(outputDir);
    } catch (error) {
      if (error instanceof SqlAborted || this.#options.signal.aborted) return CANCELLED;
      if (!(error instanceof SqlError)) throw error;
      const { source, sql: use } = this.#request;
      // An error from before the request already has its position in the source.
      const place =
        this.#statements.length === 0 ? error.position : positionInSource(this.#statements, error);
      const explained = use.connection === null ? error : explainMissing(error, use.connection);
      return failedStep(errorText(explained, source, { place, count: this.#statements.length }), null);
    } finally {
      this.#tools.inBackground(removeScratch(outputDir));
    }
  }

  async #run(outputDir: string): Promise<Outcome> {
    const { sql: use } = this.#request;
    if (use.connection === null) throw new SqlError(use.problem);
    const { connection } = use;
    const mode = { ...use, hasCatalog: hasCatalog(connection) };
    const statements = readCell(this.#request.source, mode, connection.driver as DriverName);
    const names = statements.flatMap(({ rendered }) => rendered.slots);
    const inputs = await bindInputs(this.#tools.store, names, this.#request.inputs);
    if (inputs.kind === 'lost') return lostInput(inputs);
    const tableNames = frameNames(singleNames(statements), { connection, write: use.write });
    const framed = await frameInputs(this.#tools.store, tableNames, this.#request.inputs);
    if (framed.kind === 'lost') return lostInput(framed);
    const mounts = await this.#mounts(connection, outputDir);
    const resolved = resolveConnection(connection, this.#sources(), {
      notebookDir: this.#request.notebookDir,
      mounts: mounts.paths,
      catalogs: await knownCatalogs(this.#options, use.catalogs),
      confined: this.#options.confined ?? false,
    });
    if ('problem' in resolved) throw new SqlError(resolved.problem);
    this.#statements = statements;
    const bound = statements.map(({ statement, rendered }) => ({
      statement,
      sql: rendered.sql,
      binds: rendered.slots.flatMap((name) => inputs.values.get(name) ?? []),
    }));
    const ready: Ready = {
      use,
      statements,
      bound,
      binds: bound.flatMap(({ binds }) => binds),
      digests: { ...inputs.digests, ...framed.digests },
      frames: framed.frames,
      credential: typeof connection['credential'] === 'string' ? connection['credential'] : null,
      lake: mounts.lines,
    };
    const { settings } = resolved;
    const access = use.write ? 'write' : 'read';
    const tables = use.policy.kind === 'fingerprint' ? tablesOfStatements(statements) : null;
    const look = await this.#options.known.look(settings, { access, tables, mounts: mounts.lines });
    const pins = hasCatalog(connection) ? this.#kept(use) : null;
    if (look.facts !== null && (pins !== null || !hasCatalog(connection))) {
      const hit = await this.#answer(this.#key(ready, look.facts, pins));
      if (hit !== null) return hit;
    }
    const asker = await this.#options.threads.begin(settings, { access, signal: this.#options.signal });
    try {
      const connect = () => asker.ask({ kind: 'connect', settings, access });
      return await this.#withAsker(ready, { asker, connect, outputDir, remember: look.remember });
    } finally {
      // Closing does not wait for a database that should stop.
      this.#tools.inBackground(asker.close());
    }
  }

  #sources(): CredentialSources {
    return { ...this.#options.credentials, byScheme: null, notebookEnv: () => this.#request.env };
  }

  /** The mounts a duckdb connection shows, if they can be opened, and their part of the key. */
  async #mounts(
    connection: Connection,
    outputDir: string,
  ): Promise<{ readonly paths: Readonly<Record<string, string>>; readonly lines: readonly string[] }> {
    const names =
      connection.driver === 'duckdb' && Array.isArray(connection['mounts']) ? connection['mounts'] : [];
    if (names.length === 0) return { paths: {}, lines: [] };
    const uses = this.#request.data.filter(({ item }) => item.kind === 'mount' && names.includes(item.name));
    const unknown = names.find((name) => !uses.some(({ item }) => item.name === name));
    if (unknown !== undefined) {
      throw new SqlError(
        `The connection "${connection.name}" uses the mount "${String(unknown)}", which this notebook does not have.`,
      );
    }
    const writable = uses.find(({ item }) => item.kind === 'mount' && item.mount.mode === 'rw');
    if (writable !== undefined) {
      throw new SqlError(
        `The mount "${writable.item.name}" is writable, but a connection can use only read-only mounts.`,
      );
    }
    const prepared = await prepareData(
      this.#tools,
      { data: uses },
      { scratchDir: outputDir, signal: this.#options.signal },
    );
    if (prepared?.kind === 'failed') throw new SqlError(prepared.message);
    return {
      paths: Object.fromEntries(
        Object.entries(prepared?.mounts ?? {}).map(([name, mount]) => [name, mount.local_path]),
      ),
      lines: uses
        .map(({ item, fact }) => provenanceLine(item, fact ?? undefined, `:${this.#options.runId}`))
        .sort(),
    };
  }

  async #withAsker(
    ready: Ready,
    db: {
      readonly asker: SqlAsker;
      readonly connect: () => Promise<null>;
      readonly outputDir: string;
      readonly remember: (facts: ConnectionFacts) => void;
    },
  ): Promise<Outcome> {
    const { use } = ready;
    const isLake = hasCatalog(use.connection);
    const snapshot = isLake ? this.#kept(use) : null;
    // Whether the key needs facts from the database.
    const probes = use.policy.kind === 'fingerprint' || (isLake && snapshot === null);
    if (probes) await db.connect();
    const tables = tablesOfStatements(ready.statements);
    const pins = isLake ? (snapshot ?? (await this.#takeSnapshot(db.asker, tables))) : null;
    const probe =
      use.policy.kind === 'fingerprint'
        ? await db.asker.ask({ kind: 'probe', tables, calls: callsOfStatements(ready.statements) })
        : { freshness: null, schema: null };
    const facts = { identity: db.asker.identity, probe };
    db.remember(facts);
    const keyed = this.#key(ready, facts, pins);
    const sharing = this.#sharing(ready, keyed);
    const hit = (await this.#answer(keyed)) ?? (await this.#askTeam(sharing));
    if (hit !== null) return hit;
    if (!probes) await db.connect();
    const outcome = await (use.write
      ? this.#write(ready, { ...db, keyed })
      : this.#read(ready, { ...db, keyed, pins }));
    this.#share(sharing, outcome);
    return outcome;
  }

  #sharing({ use, statements, frames }: Ready, { key, isDynamic }: RunKey): Sharing | NotShared {
    const { engine = '' } = this.#options;
    const sharing = sqlSharing(this.#request, {
      use,
      statements,
      key,
      engine,
      frames: frames.map(({ name }) => name),
    });
    const isUnknown = isDynamic && isShared(sharing);
    return isUnknown ? { why: 'the state of its data is not known before it runs' } : sharing;
  }

  async #askTeam(sharing: Sharing | NotShared): Promise<Outcome | null> {
    const { team } = this.#tools;
    if (team === undefined) return null;
    const hit = await findTeamResult(team, this.#tools, {
      request: this.#request,
      options: this.#options,
      sharing,
    });
    this.#options.signal.throwIfAborted();
    return hit;
  }

  #share(sharing: Sharing | NotShared, outcome: Outcome): void {
    const { team, store, inBackground } = this.#tools;
    if (team === undefined) return;
    const publication = { request: this.#request, outcome: { ...outcome, durationMs: 0 }, sharing };
    inBackground(publishToTeam(team, store, publication));
  }

  /** The stored result for this key, if a stored result may answer. */
  async #answer(keyed: RunKey): Promise<Outcome | null> {
    const { useCache, cacheable, contentKey } = this.#request;
    if (!useCache || !cacheable || contentKey === null || keyed.isDynamic) return null;
    return answerFromStore(this.#tools.store, { ...this.#request, provenanceHash: keyed.key }, 'provenance');
  }

  /** The snapshot time, or the snapshots, of an earlier run that this one must reuse; null: none. */
  #kept({ policy }: SqlUse): string | null {
    return policy.kind === 'snapshot' && this.#request.useCache ? storedSnapshot(this.#request) : null;
  }

  #takeSnapshot(asker: SqlAsker, tables: readonly TableName[]): Promise<string> {
    return asker.ask({ kind: 'snapshot', tables });
  }

  #key(ready: Ready, facts: ConnectionFacts, pins: string | null): RunKey {
    return runKey({ ...ready, nowMs: this.#options.now?.() ?? Date.now() }, facts, pins);
  }

  async #read(
    ready: Ready,
    db: {
      readonly asker: SqlAsker;
      readonly outputDir: string;
      readonly keyed: RunKey;
      readonly pins: string | null;
    },
  ): Promise<Outcome> {
    const { use, bound, frames } = ready;
    if (frames.length > 0) await db.asker.ask({ kind: 'load', frames });
    const isMoment = use.policy.kind === 'snapshot' && db.pins === null;
    const moment = isMoment ? (this.#kept(use) ?? (await this.#takeSnapshot(db.asker, []))) : null;
    const snapshot = db.pins ?? moment;
    const file = join(db.outputDir, TABLE_FILE);
    const table = await db.asker.ask({ kind: 'query', statements: bound, snapshot, file });
    const result = await resultOf(table, {
      name: this.#name(),
      outputDir: db.outputDir,
      shown: 'first rows',
    });
    const key = db.keyed.isDynamic ? db.keyed.keyWith(`content=${table.sha256}`) : db.keyed.key;
    const snapshotTime = use.policy.kind === 'snapshot' ? snapshot : null;
    return this.#publish(result, { key, outputDir: db.outputDir, snapshot: snapshotTime });
  }

  async #write(
    ready: Ready,
    db: { readonly asker: SqlAsker; readonly outputDir: string; readonly keyed: RunKey },
  ): Promise<Outcome> {
    const results = await db.asker.ask({ kind: 'write', statements: ready.bound });
    const table = await writeStatusTable(ready.statements, results, db.outputDir);
    const result = await resultOf(table, { name: this.#name(), outputDir: db.outputDir, shown: 'all rows' });
    return this.#publish(result, { key: db.keyed.key, outputDir: db.outputDir, snapshot: null });
  }

  #name(): string {
    return this.#request.defines[0] ?? 'result';
  }

  /**
   * Stores the result under its own key, or under a key that never matches if it must not answer: for a
   * @nocache cell, whose data was not checked, and for a run over data without a freshness check.
   */
  async #publish(
    result: Awaited<ReturnType<typeof resultOf>>,
    {
      key,
      outputDir,
      snapshot,
    }: { readonly key: string; readonly outputDir: string; readonly snapshot: string | null },
  ): Promise<Outcome> {
    if (this.#options.signal.aborted) return CANCELLED;
    const { cacheable, contentKey } = this.#request;
    const isLookedUp = cacheable && contentKey !== null;
    const outcome = await publishRun(this.#tools.store, {
      request: {
        ...this.#request,
        provenanceHash: isLookedUp ? key : randomBytes(32).toString('hex'),
        // The table is the purpose of the cell, whether or not a cell reads it yet.
        leaves: 'all',
      },
      result,
      outputDir,
      console: { stdout: '', stderr: '' },
      runId: this.#options.runId,
      durationMs: 0,
      versions: {},
      params: snapshot === null ? {} : { sql_snapshot: snapshot },
    });
    if (outcome.kind === 'missing') return failedStep(outcome.message, null);
    const { rows, outputs, displays } = outcome.published;
    return {
      kind: 'ran',
      published: rows,
      outputs,
      displays,
      stdout: '',
      stderr: '',
      method: 'sql',
      mutationWarnings: [],
    };
  }
}

/** Unqualified names that are used like tables, without duplicates. */
function singleNames(statements: readonly CellStatement[]): readonly string[] {
  const tables = statements.flatMap(({ statement }) => statement.tables);
  return [...new Set(tables.flatMap(({ parts }) => (parts.length === 1 ? parts : [])))];
}
