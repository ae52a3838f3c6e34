/** Reads and writes the URL hash of an app view: what of the app it shows, and how. */

/** The part of an app view's URL after the notebook: what it shows and how. */
export interface AppPlace {
  /** Whether the app is embedded in another page, without the header. */
  readonly embed: boolean;
  /** Whether the layout is being edited. */
  readonly edit: boolean;
  /** Counted from 1; null for the first slide. */
  readonly slide: number | null;
  /** The name of the tab; null for the first. */
  readonly tab: string | null;
}

export const APP_START: AppPlace = { embed: false, edit: false, slide: null, tab: null };

/** The URL hash of a notebook's app view. */
export function appHash(sessionId: string, path: string | null, place: Partial<AppPlace> = {}): string {
  const { embed, edit, slide, tab } = { ...APP_START, ...place };
  const query = new URLSearchParams({
    ...(path === null ? {} : { path }),
    ...(embed ? { embed: '1' } : {}),
    ...(edit ? { edit: '1' } : {}),
    ...(slide === null ? {} : { slide: String(slide) }),
    ...(tab === null ? {} : { tab }),
  });
  const suffix = query.size === 0 ? '' : `?${query}`;
  return `#/app/${encodeURIComponent(sessionId)}${suffix}`;
}

/** The place that the query in an app view's URL hash names. */
export function appPlaceOf(query: URLSearchParams): AppPlace {
  const slide = Number(query.get('slide'));
  const embed = query.get('embed') === '1';
  return {
    embed,
    edit: query.get('edit') === '1' && !embed,
    slide: Number.isSafeInteger(slide) && slide > 0 ? slide : null,
    tab: query.get('tab'),
  };
}
