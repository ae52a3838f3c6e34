/** Replaces the notebook's secrets by `[hidden]` in the texts of an answer or frame. */

import { CUT_MARK, HIDDEN, hideInRest, MIN_HIDDEN, type Redactor } from '../lib/redactor.ts';
import { MAX_STORED_CONSOLE_CHARACTERS } from '../notebook/stored/runtimeState.ts';

/**
 * Keys of values that are text to read, in any answer or frame: what cells printed, raised and displayed, messages
 * about it, and table values. All other values are used by the window (ids, URLs) or written by the user and sent
 * back later (sources, mounts); hiding parts of those would lose text or break URLs.
 */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  'comparison',
  'console_stderr',
  'console_stdout',
  'detail',
  'env_fetch_error',
  'error',
  'file_problem',
  'folder_problem',
  'headline',
  'markdown_text',
  'max',
  'message',
  'min',
  'preview',
  'problem',
  'recheck_notice',
  'damaged_notice',
  'result',
  'rows',
  'stderr',
  'stdout',
  'suggestion',
  'sync_error',
  'sync_notice',
  'text',
  'top',
  'traceback',
  'value',
]);

/** Text that a user typed and that a window saves from there, including its `text` keys. */
const DRAFTS_KEY = 'drafts';

/** Results by identity: unchanged views keep theirs, so that they are serialised once (`jsonParts`). */
const results = new WeakMap<Redactor, WeakMap<object, unknown>>();

/** The answer without hidden values; the same object if there is nothing to hide. */
export function hideInAnswer<T>(answer: T, redactor: Redactor): T {
  if (redactor.isIdle) return answer;
  const views = results.get(redactor) ?? new WeakMap<object, unknown>();
  results.set(redactor, views);
  return walk(answer, { redactor, views, isRead: false }) as T; // the walk keeps the shape
}

interface Walk {
  readonly redactor: Redactor;
  readonly views: WeakMap<object, unknown>;
  /** Whether the value is inside of text to read. */
  readonly isRead: boolean;
}

function walk(value: unknown, at: Walk): unknown {
  if (typeof value === 'string') return at.isRead ? hideInText(value, at.redactor) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (at.isRead) return changed(value, at);
  const cached = at.views.get(value);
  if (cached !== undefined) return cached;
  const result = changed(value, at);
  at.views.set(value, result);
  return result;
}

/** The value with its parts walked through; the value itself if no part changed. */
function changed(value: object, at: Walk): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, at));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let isSame = true;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (key === DRAFTS_KEY && !at.isRead) {
      entries.push([key, item]);
      continue;
    }
    const isRead = at.isRead || TEXT_KEYS.has(key);
    // A value displayed as JSON may use a secret as a key.
    const name = at.isRead ? at.redactor.text(key) : key;
    const next =
      key === 'inline_data_url' && typeof item === 'string'
        ? hideInUrl(item, at.redactor)
        : walk(item, isRead === at.isRead ? at : { ...at, isRead });
    isSame &&= next === item && name === key;
    entries.push([name, next]);
  }
  return isSame ? value : Object.fromEntries(entries);
}

function hideInText(text: string, redactor: Redactor): string {
  const mark = CUT_MARK.exec(text)?.[0] ?? '';
  const isCut = mark !== '' || text.length === MAX_STORED_CONSOLE_CHARACTERS;
  const body = text.slice(mark.length);
  return mark + withoutOpenEnd(isCut ? hideInRest(body, redactor) : redactor.text(body), redactor);
}

/** Previews are cut off at a length, which may be in the middle of a secret. */
function withoutOpenEnd(text: string, redactor: Redactor): string {
  const ending = /(…|\.\.\.)?['"]?$/.exec(text)?.[0] ?? '';
  const body = text.slice(0, text.length - ending.length);
  const open = redactor.openLength(body);
  return open < MIN_HIDDEN ? text : body.slice(0, body.length - open) + HIDDEN + ending;
}

/** Text inside a data: URL, from a display that is not stored. */
const TEXT_URL = /^data:(?:text\/|json\/|application\/json|image\/svg)[^,]*;base64,/;

function hideInUrl(url: string, redactor: Redactor): string {
  const head = TEXT_URL.exec(url)?.[0];
  if (head === undefined) return url;
  const text = Buffer.from(url.slice(head.length), 'base64').toString('utf8');
  const hidden = hideInText(text, redactor);
  return hidden === text ? url : head + Buffer.from(hidden).toString('base64');
}
