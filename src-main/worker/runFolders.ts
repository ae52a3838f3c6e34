import type { FastifyReply } from 'fastify';
import type { Logger } from '../observe/log.ts';
import { makeRunFolder, type RunFolder } from './runFolder.ts';

/** The folders of the runs of a worker, each for one request, gone once its answer is. */
export class RunFolders {
  readonly #log: Logger;
  readonly #folders = new Set<RunFolder>();
  /** Those that stay after it, until {@link remove}. */
  readonly #keeps: (folder: RunFolder) => boolean;

  constructor(options: { readonly log: Logger; readonly keeps: (folder: RunFolder) => boolean }) {
    this.#log = options.log;
    this.#keeps = options.keeps;
  }

  /** Does `work` with a folder of its own. */
  async during(reply: FastifyReply, work: (folder: RunFolder) => Promise<unknown>): Promise<unknown> {
    const folder = makeRunFolder();
    this.#folders.add(folder);
    const remove = async (): Promise<void> => {
      if (!this.#keeps(folder)) await this.remove(folder);
    };
    // Whoever asked may be gone before the cell has ended: it runs on, and its folder with it (relay 5).
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

  /** Never fails: what is left of it is for whoever cleans the machine. */
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
