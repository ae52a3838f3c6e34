/** Wraps the run of a cell whose process may stay alive afterwards for the widgets that the cell shows. */

import type { HarnessManifest } from '../../../src-shared/wire/harness.ts';
import type { KeptProcess } from '../keptProcess.ts';
import type { ExpectedConnection, KeptConnection, KeptConnections } from './keptConnections.ts';
import { KeptRun } from './keptRun.ts';
import { OutputUntilMark } from './outputUntilMark.ts';
import type { OnOutput, RunningCell } from './runningCell.ts';

/** How long to wait for the last output of a connected process: the cell may have closed its streams. */
const MARK_MS = 500;

/**
 * A run whose process may stay alive for its widgets. For its caller, the run ends once all its output has
 * been read.
 */
export class KeepableRun {
  readonly manifest: NonNullable<HarnessManifest['keep']>;
  /** Takes what the run prints; passes on what belongs to the run. */
  readonly onOutput: OnOutput;
  readonly #place: ExpectedConnection;
  readonly #streams: Readonly<Record<'stdout' | 'stderr', OutputUntilMark>>;
  #connection: KeptConnection | null = null;

  private constructor(place: ExpectedConnection, onOutput: OnOutput) {
    const mark = `\x1e${place.token.slice(0, 32)}\x1e`;
    this.#place = place;
    this.manifest = { port: place.port, token: place.token, mark };
    this.#streams = {
      stdout: new OutputUntilMark(mark, (bytes) => onOutput('stdout', bytes)),
      stderr: new OutputUntilMark(mark, (bytes) => onOutput('stderr', bytes)),
    };
    this.onOutput = (stream, bytes) => this.#streams[stream].push(bytes);
  }

  static async at(connections: KeptConnections, onOutput: OnOutput): Promise<KeepableRun> {
    return new KeepableRun(await connections.place(), onOutput);
  }

  /** The run as its caller sees it: it also ends, as a success, when its process stays. */
  asRun(cell: RunningCell): RunningCell {
    const stays = this.#place.joined.then(async (connection) => {
      this.#connection = connection;
      await this.#printed();
      return { kind: 'code', code: 0 } as const;
    });
    return {
      method: cell.method,
      get started() {
        return cell.started;
      },
      get pid() {
        return cell.pid;
      },
      ended: Promise.race([cell.ended, stays]),
      signal: (signal) => cell.signal(signal),
      pause: (paused) => cell.pause(paused),
    };
  }

  /** Call once the run has ended. Returns the process that stays, or null if it ended too. */
  kept(cell: RunningCell): KeptProcess | null {
    this.#place.drop();
    this.#streams.stdout.flush();
    this.#streams.stderr.flush();
    return this.#connection === null ? null : new KeptRun(cell, this.#connection);
  }

  async #printed(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MARK_MS);
    });
    const { stdout, stderr } = this.#streams;
    await Promise.race([Promise.all([stdout.seen, stderr.seen]), limit]);
    clearTimeout(timer);
  }
}
