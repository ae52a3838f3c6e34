/** Remembers the newest messages to an MCP client, so that a broken stream can be resumed. */

import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Limits for one client; the oldest messages are dropped first. */
interface EventLimits {
  readonly events: number;
  readonly characters: number;
}

const LIMITS: EventLimits = { events: 500, characters: 4_000_000 };

/**
 * The store's interface. It has no lookup of streams: with one, the SDK refuses to resume a stream while it has not
 * noticed that the old connection is broken, instead of letting the new connection take over.
 */
export interface ResumableStore extends EventStore {
  /** Whether a stream can be resumed from this event. */
  has(id: string): boolean;
}

interface StoredEvent {
  readonly id: string;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

/**
 * The newest messages sent to one client, so that a broken stream is resumed by `Last-Event-ID`. In memory:
 * after a server restart a client starts a new session. A stream cannot be resumed from a dropped id.
 */
export function createEventStore(limits: EventLimits = LIMITS): ResumableStore {
  let events: StoredEvent[] = [];
  let characters = 0;
  let next = 1;
  return {
    async storeEvent(streamId, message) {
      const event = { id: String(next++), streamId, message, size: sizeOf(message) };
      events.push(event);
      characters += event.size;
      let dropCount = 0;
      while (
        events.length - dropCount > 1 &&
        (events.length - dropCount > limits.events || characters > limits.characters)
      ) {
        characters -= events[dropCount]?.size ?? 0;
        dropCount += 1;
      }
      if (dropCount > 0) events = events.slice(dropCount);
      return event.id;
    },
    has: (id) => events.some((event) => event.id === id),
    async replayEventsAfter(id, { send }) {
      const at = events.findIndex((event) => event.id === id);
      const last = events[at];
      if (last === undefined) throw new Error(`The event ${id} is no longer stored.`);
      for (const event of events.slice(at + 1)) {
        // The event that opens a stream has no message.
        if (event.streamId === last.streamId && Object.keys(event.message).length > 0) {
          await send(event.id, event.message);
        }
      }
      return last.streamId;
    },
  };
}

/**
 * Approximate number of characters of the message when sent, without serializing it: results contain their
 * text twice.
 */
function sizeOf(message: JSONRPCMessage): number {
  if (!('result' in message)) return 200;
  const { content } = message.result;
  if (!Array.isArray(content)) return 2_000;
  return content.reduce((sum: number, part: unknown) => {
    if (typeof part !== 'object' || part === null) return sum;
    const text = 'text' in part && typeof part.text === 'string' ? part.text.length * 2 : 0;
    return sum + text + ('data' in part && typeof part.data === 'string' ? part.data.length : 0);
  }, 200);
}
