import type { FastifyReply } from 'fastify';
import type { Logger } from '../observe/log.ts';
import { makeRunFolder, type RunFolder } from './runFolder.ts';

/** The folders of a worker's runs, one per request, removed after the response. */
export class RunFolders {
  readonly #log: Logger;
  readonly #folders = new Set<RunFolder>();
  /** Whether a folder is to stay after the response, until {@link remove}. */
  readonly #keeps: (folder: RunFolder) => boolean;

  constructor(options: { readonly log: Logger; readonly keeps: (folder: RunFolder) => boolean }) {
    this.#log = options.log;
    this.#keeps = options.keeps;
  }

  /** Does `work` with a new folder. */
  async during(reply: FastifyReply, work: (folder: RunFolder) => Promise<unknown>): Promise<unknown> {
    const folder = makeRunFolder();
    this.#folders.add(folder);
    const remove = async (): Promise<void> => {
      if (!this.#keeps(folder)) await this.remove(folder);
    };
    // The client may disconnect before the cell has ended: the cell runs on and needs its folder
    // (docs/spec/relay.md, 5).
    let isDone = false;
    const removeWhenBoth = (): void => {
      if (isDone && reply.raw.destroyed) void remove();
    };
    reply.raw.once('close', removeWhenBoth);
    try {
      const answer = await work(folder);
      isDone = true;
      removeWhenBoth();
      return answer;
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /** Never fails: a folder that cannot be removed is logged and left on the disk. */
  async remove(folder: RunFolder): Promise<void> {
    if (!this.#folders.delete(folder)) return;
    await folder
      .remove()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a folder of a run could not be removed'));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#folders].map((folder) => folder.remove()));
  }
}
