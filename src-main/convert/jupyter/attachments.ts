/** Puts the attached pictures of Jupyter text cells into their Markdown, for the import of Jupyter notebooks. */

import { isObject, type JsonObject, textOf } from './jupyterJson.ts';

/** A text cell with its attached pictures inlined. */
interface WithPictures {
  readonly source: string;
  /** Pictures in the text that the file does not contain, or only in an unsupported form. */
  readonly missing: readonly string[];
}

/** `](attachment:NAME…)` and `](<attachment:NAME>…)`: a name may contain one pair of parentheses. */
const LINK = /(\]\(\s*)(?:<attachment:([^>\n]+)>|attachment:((?:[^()\s]|\([^()\s]*\))+))/g;
/** `[label]: attachment:NAME` on its own line. */
const DEFINITION = /^( {0,3}\[[^\]\n]+\]:\s*)(?:<attachment:([^>\n]+)>|attachment:(\S+))/gm;
const IMAGE = /<img\b[^>]*>/gi;

/**
 * The text of a cell with its attachments as `data:` URLs. @param attachments the cell's field in the file, unchecked
 */
export function withAttachments(source: string, attachments: unknown): WithPictures {
  const pictures = isObject(attachments) ? attachments : {};
  const missing: string[] = [];
  const urlOf = (name: string): string => {
    const picture = pictureOf(pictures, name);
    if (picture === null) missing.push(decoded(name));
    return picture ?? `attachment:${name}`;
  };
  const linked = source
    .replace(LINK, (all, head: string, quoted: string | undefined, bare: string | undefined) => {
      const name = quoted ?? bare ?? '';
      const url = urlOf(name);
      return url.startsWith('data:') ? `${head}${url}` : all;
    })
    .replace(DEFINITION, (all, head: string, quoted: string | undefined, bare: string | undefined) => {
      const url = urlOf(quoted ?? bare ?? '');
      return url.startsWith('data:') ? `${head}${url}` : all;
    })
    .replace(IMAGE, (tag) => imageOf(tag, urlOf) ?? tag);
  return { source: linked, missing: [...new Set(missing)] };
}

/**
 * A text cell shows no HTML: the picture of an `<img>` is converted to Markdown. Null for every other
 * `<img>`.
 */
function imageOf(tag: string, urlOf: (name: string) => string): string | null {
  const name = attributeOf(tag, 'src')?.replace(/^attachment:/, '\0');
  if (name === undefined || !name.startsWith('\0')) return null;
  const url = urlOf(unescaped(name.slice(1)));
  if (!url.startsWith('data:')) return null;
  const label = unescaped(attributeOf(tag, 'alt') ?? '').replace(/[[\]\n]/g, ' ');
  return `![${label}](${url})`;
}

function attributeOf(tag: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The data URL of an attachment, in any encoding of its name; null if there is no such picture. */
function pictureOf(attachments: JsonObject, name: string): string | null {
  const spellings = [name, decoded(name), decoded(name).normalize('NFC'), decoded(name).normalize('NFD')];
  const picture = spellings
    .map((one) => (Object.hasOwn(attachments, one) ? attachments[one] : null))
    .find(isObject);
  if (picture === undefined) return null;
  for (const [type, data] of Object.entries(picture)) {
    const bytes = textOf(data).replace(/\s+/g, '');
    if (/^image\/(png|jpeg|gif|webp)$/.test(type) && /^[A-Za-z0-9+/=]+$/.test(bytes)) {
      return `data:${type};base64,${bytes}`;
    }
  }
  return null;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}
