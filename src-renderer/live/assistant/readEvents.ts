/** Parser for Server-Sent Events, which carry the assistant's answers. */

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a stream whose chunks may end anywhere. An event without its final blank line is dropped. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
      if (done) return;
    }
  } finally {
    // Ends the request if the caller stops early.
    await reader.cancel().catch(() => undefined);
  }
}

/** The event of a block of lines; null for a comment, which only keeps the connection open. */
function eventOf(block: string): StreamEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, data: data.join('\n') };
}
