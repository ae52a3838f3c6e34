/** The server's side of the processes that the desktop shell starts for it, requested over their common channel. */

import type { ServerToShell, ShellToServer } from '../../src-shared/shell/handshake.ts';
import type { ProcessHost } from '../sql/sqlCarrier.ts';

export type HelperNews = Extract<ShellToServer, { type: 'helper_said' | 'helper_gone' }>;

export interface HostedProcesses extends ProcessHost {
  heard(news: HelperNews): void;
}

export function createHostedProcesses(send: (message: ServerToShell) => void): HostedProcesses {
  const running = new Map<number, Parameters<ProcessHost['start']>[0]>();
  let last = 0;
  return {
    start(events) {
      last += 1;
      const id = last;
      running.set(id, events);
      send({ type: 'helper_start', id });
      return {
        post: (message) => send({ type: 'helper_say', id, message }),
        kill: () => send({ type: 'helper_end', id }),
      };
    },
    heard(news) {
      const events = running.get(news.id);
      if (news.type === 'helper_said') events?.onMessage(news.message);
      else {
        running.delete(news.id);
        events?.onGone();
      }
    },
  };
}
