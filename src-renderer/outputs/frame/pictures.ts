/**
 * The pictures (PNG or SVG) that the sandboxed frames of outputs can make of their content, for copying, saving and
 * released figures.
 */

import type { OutputPlace } from '../useBlobText.ts';

export type PictureFormat = 'png' | 'svg';

/** A frame that can return a picture of its content. */
export interface PictureSource {
  readonly formats: readonly PictureFormat[];
  /** Null if the frame has nothing that can be drawn, or does not answer. */
  readonly take: (format: PictureFormat) => Promise<Blob | null>;
}

const sources = new Map<string, PictureSource[]>();

const listeners = new Set<() => void>();

/** Calls back when the pictures that a frame offers change. @returns a function that unsubscribes */
export function onPictures(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyAll(): void {
  for (const listener of listeners) listener();
}

const keyOf = ({ sessionId, cellId, index }: OutputPlace): string => `${sessionId}/${cellId}/${index}`;

/** Registers a frame under the place of its output. @returns a function that removes it */
export function offerPictures(place: OutputPlace, source: PictureSource): () => void {
  const key = keyOf(place);
  sources.set(key, [...(sources.get(key) ?? []), source]);
  notifyAll();
  return () => {
    const remaining = (sources.get(key) ?? []).filter((one) => one !== source);
    if (remaining.length === 0) sources.delete(key);
    else sources.set(key, remaining);
    notifyAll();
  };
}

/** The frame that currently shows an output; null if none does. */
export function pictureSource(place: OutputPlace): PictureSource | null {
  return sources.get(keyOf(place))?.at(-1) ?? null;
}

const TYPES: Readonly<Record<PictureFormat, string>> = { png: 'image/png', svg: 'image/svg+xml' };

/**
 * A picture of what an output's frame has drawn, with the requested content type, whatever type the frame declares.
 * @returns null if no frame shows the output, or its frame has no picture
 */
export async function takePicture(place: OutputPlace, format: PictureFormat): Promise<Blob | null> {
  const blob = await pictureSource(place)?.take(format);
  return blob === null || blob === undefined || blob.size === 0
    ? null
    : new Blob([blob], { type: TYPES[format] });
}
