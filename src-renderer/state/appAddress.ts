/** What the address of an app view says beyond the notebook. */
export interface AppPlace {
  /** Shown alone, inside another page. */
  readonly embed: boolean;
  /** The layout is being edited. */
  readonly edit: boolean;
  /** From 1; null: the first. */
  readonly slide: number | null;
  /** The name of the tab; null: the first. */
  readonly tab: string | null;
}

export const APP_START: AppPlace = { embed: false, edit: false, slide: null, tab: null };

/** The address of a notebook's app view: what follows the page's own. */
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

/** The place that the query of such an address names. */
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
