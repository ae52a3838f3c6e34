import { CUT_MARK, HIDDEN, hideInRest, LEAST_HIDDEN, type Redactor } from '../lib/redactor.ts';
import { KEPT_CONSOLE_CHARACTERS } from '../notebook/kept/runtimeState.ts';

/**
 * What is text to be read, wherever it stands in an answer or a frame: what cells printed, raised and showed, words
 * about it, values of tables. Everything else is what the window works with (ids, addresses) or what a person wrote
 * and will send back (sources, mounts): a value hidden there would be lost or lead nowhere.
 */
const READ: ReadonlySet<string> = new Set([
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

/** What a person typed and a window will save from there, `text` and all. */
const TYPED = 'drafts';

/** Views that say the same keep their identity, so that they are written out once (`jsonParts`). */
const known = new WeakMap<Redactor, WeakMap<object, unknown>>();

/** The answer without hidden values; the same object where there are none in it. */
export function hideInAnswer<T>(answer: T, redactor: Redactor): T {
  if (redactor.isIdle) return answer;
  const views = known.get(redactor) ?? new WeakMap<object, unknown>();
  known.set(redactor, views);
  return walk(answer, { redactor, views, isRead: false }) as T; // its shape stays
}

interface Walk {
  readonly redactor: Redactor;
  readonly views: WeakMap<object, unknown>;
  /** Inside of what is to be read. */
  readonly isRead: boolean;
}

function walk(value: unknown, at: Walk): unknown {
  if (typeof value === 'string') return at.isRead ? hideInText(value, at.redactor) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (at.isRead) return changed(value, at);
  const seen = at.views.get(value);
  if (seen !== undefined) return seen;
  const shown = changed(value, at);
  at.views.set(value, shown);
  return shown;
}

/** The value with its parts walked through; itself where none is another now. */
function changed(value: object, at: Walk): unknown {
  if (Array.isArray(value)) {
    const shown = value.map((item) => walk(item, at));
    return shown.some((item, index) => item !== value[index]) ? shown : value;
  }
  let isSame = true;
  const shown: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (key === TYPED && !at.isRead) {
      shown.push([key, item]);
      continue;
    }
    const isRead = at.isRead || READ.has(key);
    // A value shown as JSON may have one for a name.
    const name = at.isRead ? at.redactor.text(key) : key;
    const next =
      key === 'inline_data_url' && typeof item === 'string'
        ? hideInUrl(item, at.redactor)
        : walk(item, isRead === at.isRead ? at : { ...at, isRead });
    isSame &&= next === item && name === key;
    shown.push([name, next]);
  }
  return isSame ? value : Object.fromEntries(shown);
}

function hideInText(text: string, redactor: Redactor): string {
  const mark = CUT_MARK.exec(text)?.[0] ?? '';
  const isCut = mark !== '' || text.length === KEPT_CONSOLE_CHARACTERS;
  const body = text.slice(mark.length);
  return mark + withoutOpenEnd(isCut ? hideInRest(body, redactor) : redactor.text(body), redactor);
}

/** Previews end where there was enough of them, maybe in the middle of a value. */
function withoutOpenEnd(text: string, redactor: Redactor): string {
  const ending = /(…|\.\.\.)?['"]?$/.exec(text)?.[0] ?? '';
  const body = text.slice(0, text.length - ending.length);
  const open = redactor.openLength(body);
  return open < LEAST_HIDDEN ? text : body.slice(0, body.length - open) + HIDDEN + ending;
}

/** Text that travels as bytes: of a display nothing is stored of. */
const TEXT_URL = /^data:(?:text\/|json\/|application\/json|image\/svg)[^,]*;base64,/;

function hideInUrl(url: string, redactor: Redactor): string {
  const head = TEXT_URL.exec(url)?.[0];
  if (head === undefined) return url;
  const text = Buffer.from(url.slice(head.length), 'base64').toString('utf8');
  const shown = hideInText(text, redactor);
  return shown === text ? url : head + Buffer.from(shown).toString('base64');
}
