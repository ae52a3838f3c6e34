import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ConsoleFeed,
  DELIVERY_BYTES,
  INTERVAL_MS,
  LIVE_BYTES,
  PIECE_BYTES,
  piecesOf,
  TAIL_BYTES,
} from './consoleFeed.ts';
import type { ConsoleText } from './executor.ts';
import { TailBuffer } from './tailBuffer.ts';

/** The live console of a run: order and size of what is delivered, the limits for long output, and the tail. */

function openFeed() {
  const texts: ConsoleText[] = [];
  const feed = new ConsoleFeed({ onConsole: (text) => texts.push(text), onPressure() {}, log: null });
  return { feed, texts };
}

describe('ConsoleFeed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the first text is delivered immediately, later text once per interval, in order', () => {
    const { feed, texts } = openFeed();
    feed.push('stdout', Buffer.from('a'));
    expect(texts.splice(0)).toEqual([{ stream: 'stdout', text: 'a' }]);
    feed.push('stdout', Buffer.from('b'));
    feed.push('stdout', Buffer.from('c'));
    expect(texts.splice(0)).toEqual([]);
    vi.advanceTimersByTime(INTERVAL_MS);
    expect(texts.splice(0)).toEqual([{ stream: 'stdout', text: 'bc' }]);
    feed.push('stdout', Buffer.from('d'));
    feed.push('stderr', Buffer.from('e'));
    expect(texts.splice(0)).toEqual([
      { stream: 'stdout', text: 'd' },
      { stream: 'stderr', text: 'e' },
    ]);
    vi.advanceTimersByTime(INTERVAL_MS);
    feed.push('stdout', Buffer.from('f'));
    expect(texts).toEqual([{ stream: 'stdout', text: 'f' }]);
  });

  test('characters split between reads are decoded correctly, invalid bytes are replaced', async () => {
    const { feed, texts } = openFeed();
    for (const byte of Buffer.from('é漢🎉\xff', 'utf8')) feed.push('stdout', Buffer.of(byte));
    feed.push('stdout', Buffer.of(0xff, 0xc3));
    expect(await feed.end()).toEqual({ stdout: 'é漢🎉\xff\ufffd\ufffd', stderr: '' });
    expect(texts.map(({ text }) => text).join('')).toBe('é漢🎉\xff\ufffd\ufffd');
  });

  test('[EX-47] a flood is delivered in bounded portions, complete and in order', () => {
    const { feed, texts } = openFeed();
    const readBytes = 48 * 1024;
    feed.push('stdout', Buffer.from('first'));
    feed.push('stderr', Buffer.from('first'));
    expect(texts.splice(0)).toHaveLength(2);
    let printed = '';
    for (let at = 0; printed.length < LIVE_BYTES - readBytes; at += 1) {
      const text = String(at)
        .padStart(8, '0')
        .repeat(readBytes / 8);
      feed.push(at % 7 === 3 ? 'stderr' : 'stdout', Buffer.from(text));
      printed += text;
    }
    let delivered = '';
    for (let turn = 0; delivered.length < printed.length; turn += 1) {
      const delivery = texts.splice(0).map(({ text }) => text);
      const size = delivery.reduce((sum, text) => sum + text.length, 0);
      // The last read of a delivery is delivered completely.
      expect(size, `delivery ${turn}`).toBeLessThan(DELIVERY_BYTES + readBytes);
      delivered += delivery.join('');
      vi.advanceTimersByTime(INTERVAL_MS);
    }
    expect(delivered === printed).toBe(true);
  });

  test('[EX-47] the end of the run delivers the rest immediately, at most as much as the result holds', async () => {
    const { feed, texts } = openFeed();
    const size = (): number => texts.reduce((sum, { text }) => sum + text.length, 0);
    for (let at = 0; at < 40; at += 1) {
      feed.push('stdout', Buffer.alloc(PIECE_BYTES, 'x'));
      feed.push('stderr', Buffer.from('y'));
    }
    const before = size();
    expect(before).toBeLessThan(2 * DELIVERY_BYTES);
    await feed.end();
    const cut = texts.flatMap(({ text }) => text.match(/[\d,]+(?= bytes of earlier)/) ?? []);
    expect(cut).toHaveLength(1);
    const leftOut = Number(cut[0]?.replaceAll(',', ''));
    const out = texts.filter(({ stream, text }) => stream === 'stdout' && !text.includes('earlier'));
    expect(out.reduce((sum, { text }) => sum + text.length, 0) + leftOut).toBe(40 * PIECE_BYTES);
    expect(
      texts
        .filter(({ stream }) => stream === 'stderr')
        .map(({ text }) => text)
        .join(''),
    ).toBe('y'.repeat(40));
    expect(size() - before).toBeLessThan(TAIL_BYTES + 2 * PIECE_BYTES);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('[EX-47] beyond the live limit few single letters are delivered per interval, and the others are counted', async () => {
    const { feed, texts } = openFeed();
    for (let at = 0; at < LIVE_BYTES / PIECE_BYTES; at += 1)
      feed.push('stdout', Buffer.alloc(PIECE_BYTES, 'x'));
    vi.advanceTimersByTime(1_000 * INTERVAL_MS);
    texts.length = 0;
    const letters = 3 * PIECE_BYTES;
    for (let at = 0; at < letters; at += 1) feed.push('stdout', Buffer.from('y'));
    vi.advanceTimersByTime(INTERVAL_MS);
    expect(texts.filter(({ text }) => text.includes('earlier'))).toHaveLength(1);
    const letterCount = texts.reduce((sum, { text }) => sum + (text.match(/y/g)?.length ?? 0), 0);
    const cut = texts.flatMap(({ text }) => text.match(/[\d,]+(?= bytes of earlier)/) ?? []);
    expect(letterCount).toBeLessThanOrEqual(PIECE_BYTES + 2);
    // The word `earlier` contains a `y` too.
    expect(letterCount - 1 + Number(cut[0]?.replaceAll(',', ''))).toBe(letters);
    await feed.end();
  });

  test('[EX-47] beyond the live limit the live view skips text, but not at the end', async () => {
    const { feed, texts } = openFeed();
    const chunk = Buffer.alloc(PIECE_BYTES, 'x');
    for (let sentBytes = 0; sentBytes < 2 * LIVE_BYTES; sentBytes += chunk.length) {
      feed.push('stdout', chunk);
      if (sentBytes % (1024 * 1024) === 0) vi.advanceTimersByTime(INTERVAL_MS);
    }
    feed.push('stdout', Buffer.from('the end\n'));
    const { stdout } = await feed.end();
    expect(stdout.endsWith('xthe end\n')).toBe(true);
    const liveText = texts.map(({ text }) => text).join('');
    expect(liveText.endsWith('xthe end\n')).toBe(true);
    const live = texts.reduce((sum, { text }) => sum + text.length, 0);
    expect(live).toBeLessThan(LIVE_BYTES + 40 * PIECE_BYTES);
    expect(texts.some(({ text }) => text.includes('left out'))).toBe(true);
  });
});

test('for reads of any size every piece is small enough and nothing is lost', async () => {
  const unit = fc.constantFrom('a', 'é', '漢', '🎉', '\n', '\ufffd');
  const runs = fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 30_000 })), { minLength: 1, maxLength: 8 });
  const cuts = fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(runs, cuts, async (parts, sizes) => {
      const text = parts.map(([character, count]) => character.repeat(count)).join('');
      const bytes = Buffer.from(text);
      const { feed, texts } = openFeed();
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        feed.push('stdout', bytes.subarray(at, at + size));
        at += size;
      }
      await feed.end();
      expect(texts.map((piece) => piece.text).join('') === text).toBe(true);
      for (const piece of texts) expect(Buffer.byteLength(piece.text)).toBeLessThanOrEqual(PIECE_BYTES);
    }),
    { numRuns: process.env['LONG'] === '1' ? 300 : 30 },
  );
});

test('pieces are small enough, whole characters, and nothing is lost', () => {
  const unit = fc.constantFrom('a', 'é', '漢', '🎉', '\ufffd');
  fc.assert(
    fc.property(fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 40_000 })), { maxLength: 6 }), (runs) => {
      const text = runs.map(([character, count]) => character.repeat(count)).join('');
      const pieces = [...piecesOf(text)];
      expect(pieces.join('') === text).toBe(true);
      for (const piece of pieces) {
        expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(PIECE_BYTES);
        expect(piece.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

test('the tail has the last bytes, starts at a whole character, and states how many bytes precede it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 40 }),
      fc.integer({ min: 8, max: 64 }),
      (chunks, limit) => {
        const tail = new TailBuffer(limit);
        for (const chunk of chunks) tail.push(Buffer.from(chunk));
        const whole = Buffer.from(chunks.join(''));
        if (whole.length <= limit) {
          expect(tail.text()).toBe(chunks.join(''));
          return;
        }
        const [line = '', ...rest] = tail.text().split(/(?<=left out …\]\n)/);
        const tailBytes = Buffer.from(rest.join(''));
        expect(whole.subarray(whole.length - tailBytes.length).equals(tailBytes)).toBe(true);
        expect(tailBytes.length).toBeGreaterThan(limit - 4);
        expect(line).toContain((whole.length - tailBytes.length).toLocaleString('en-US'));
      },
    ),
  );
  expect(TAIL_BYTES).toBe(1024 * 1024);
});
