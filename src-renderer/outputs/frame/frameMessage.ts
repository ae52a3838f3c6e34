/** Validates the messages that the sandboxed frame of an output sends to the page. */

import { type WidgetMessage, widgetMessage } from '../../../src-shared/wire/widgetMessages.ts';
import type { PictureFormat } from './pictures.ts';

/** The messages of a frame. A frame runs untrusted code, so every message is validated. */
export type FrameMessage =
  | { readonly kind: 'ready' | 'drawn' }
  | { readonly kind: 'height'; readonly px: number }
  | { readonly kind: 'lacks'; readonly address: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'comm'; readonly message: WidgetMessage }
  | { readonly kind: 'want'; readonly id: number; readonly address: string }
  | { readonly kind: 'pictures'; readonly formats: readonly PictureFormat[] }
  | { readonly kind: 'picture'; readonly id: number; readonly blob: Blob | null };

const LONGEST = 500;

/** A message of a frame, or null for anything else. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { kind, px, address, why, id, formats, blob, message } = data as Record<string, unknown>;
  switch (kind) {
    case 'ready':
    case 'drawn':
      return { kind };
    case 'height':
      return typeof px === 'number' && Number.isFinite(px)
        ? { kind, px: Math.min(Math.max(px, 8), 20_000) }
        : null;
    case 'lacks':
      return isAddress(address) ? { kind, address } : null;
    case 'failed':
      return typeof why === 'string' ? { kind, why: why.slice(0, LONGEST) } : null;
    case 'comm': {
      const read = widgetMessage.safeParse(message);
      return read.success ? { kind, message: read.data } : null;
    }
    case 'want':
      return typeof id === 'number' && isAddress(address) ? { kind, id, address } : null;
    case 'pictures':
      return Array.isArray(formats)
        ? { kind, formats: (['png', 'svg'] as const).filter((one) => formats.includes(one)) }
        : null;
    case 'picture':
      return typeof id === 'number' ? { kind, id, blob: blob instanceof Blob ? blob : null } : null;
    default:
      return null;
  }
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST && /^https?:\/\//i.test(value);
}

/** The first three URLs that an output lacks. A file that the output names by a path is listed by that path. */
export function namedUrls(addresses: readonly string[], base: string): readonly string[] {
  const names = addresses.map((one) => (one.startsWith(base) ? one.slice(base.length) : one));
  return [...new Set(names)].slice(0, 3);
}
