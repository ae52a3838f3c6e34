/** Reads the outputs of a Jupyter notebook, so that its cells show them before their first run. */

import { stripVTControlCharacters } from 'node:util';
import {
  FIGURE_TYPE,
  type ImportedCell,
  type ImportedDisplay,
  type PictureType,
  type TextType,
} from '../../notebook/stored/importedOutputs.ts';
import { isObject, type JsonObject, textOf } from './jupyterJson.ts';

/** The maximum size of one display, and of all displays of a notebook: the window has them in memory. */
const MAX_DISPLAY = 2 * 1024 * 1024;
const MAX_TOTAL = 16 * 1024 * 1024;
/** Maximum length of each stream of a cell; its end is more useful than its start. */
const MAX_STREAM = 100_000;
const MAX_DISPLAYS = 200;

const TEXT_TYPES: readonly TextType[] = ['text/markdown', 'image/svg+xml'];
const PICTURE_TYPES: readonly PictureType[] = ['image/png', 'image/jpeg', 'image/gif'];

/** Reads the outputs of a file's code cells, up to a total size. */
export class OutputReader {
  #left = MAX_TOTAL;

  /** The outputs of a cell; null if it has none. */
  read(outputs: unknown): ImportedCell | null {
    if (!Array.isArray(outputs)) return null;
    const streams = { stdout: '', stderr: '' };
    const displays: ImportedDisplay[] = [];
    for (const output of outputs.filter(isObject)) {
      const { output_type: kind, name } = output;
      if (kind === 'stream') streams[name === 'stderr' ? 'stderr' : 'stdout'] += textOf(output['text']);
      else if (displays.length < MAX_DISPLAYS) {
        const display = displayOf(output);
        if (display !== null) displays.push(this.#fitting(display));
      }
    }
    const stdout = this.#stream(streams.stdout);
    const stderr = this.#stream(streams.stderr);
    return stdout === '' && stderr === '' && displays.length === 0 ? null : { stdout, stderr, displays };
  }

  #stream(text: string): string {
    const over = text.length - MAX_STREAM;
    const stored =
      over > 0 ? `[${over} characters of the imported file left out]\n${text.slice(over)}` : text;
    if (stored.length > this.#left) return '';
    this.#left -= stored.length;
    return stored.toWellFormed();
  }

  #fitting(display: ImportedDisplay): ImportedDisplay {
    const size = JSON.stringify(display).length;
    if (size > MAX_DISPLAY || size > this.#left) {
      const megabytes = (size / 1_000_000).toFixed(1);
      return textDisplay(
        `[An output of ${megabytes} MB of the imported file was left out. Run the cell to make it.]`,
      );
    }
    this.#left -= size;
    return display;
  }
}

function textDisplay(text: string): ImportedDisplay {
  return { type: 'text/plain', text: text.toWellFormed() };
}

function displayOf(output: JsonObject): ImportedDisplay | null {
  const { output_type: kind, data } = output;
  if (kind === 'error') return textDisplay(errorText(output));
  if ((kind !== 'display_data' && kind !== 'execute_result') || !isObject(data)) return null;
  return richest(data, isObject(output['metadata']) ? output['metadata'] : {});
}

function errorText({ traceback, ename, evalue }: JsonObject): string {
  const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string') : [];
  const short = [ename, evalue].filter((part) => typeof part === 'string' && part !== '').join(': ');
  return stripVTControlCharacters(lines.length > 0 ? lines.join('\n') : short);
}

/** The richest form of an output that runs no code. */
function richest(data: JsonObject, metadata: JsonObject): ImportedDisplay | null {
  const figure = Object.keys(data).find((type) => FIGURE_TYPE.test(type) && isObject(data[type]));
  if (figure !== undefined) return { type: figure, text: JSON.stringify(data[figure]).toWellFormed() };
  const html = textOf(data['text/html']);
  if (showsSomething(html)) return { type: 'text/html', text: html.toWellFormed() };
  for (const type of TEXT_TYPES) {
    const text = textOf(data[type]);
    if (text.trim() !== '') return { type, text: text.toWellFormed() };
  }
  for (const type of PICTURE_TYPES) {
    const base64 = textOf(data[type]).replace(/\s+/g, '');
    if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) continue;
    const size = isObject(metadata[type]) ? metadata[type] : {};
    return { type, base64, width: lengthOf(size['width']), height: lengthOf(size['height']) };
  }
  const latex = textOf(data['text/latex']);
  if (latex.trim() !== '') return { type: 'text/latex', text: latex.toWellFormed() };
  if (data['application/json'] !== undefined) return { type: 'json/object', value: data['application/json'] };
  const plain = data['text/plain'];
  if (plain !== undefined) return textDisplay(textOf(plain));
  const [other] = Object.keys(data);
  return other === undefined
    ? null
    : textDisplay(`[An output of type ${other.slice(0, 100)} is not shown. Run the cell to make it.]`);
}

/** Whether HTML shows something without scripts, which do not run here. */
function showsSomething(html: string): boolean {
  const still = html.replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '');
  return (
    /<(?:img|svg|table|hr|video|audio|canvas)\b/i.test(still) || still.replace(/<[^>]*>/g, '').trim() !== ''
  );
}

function lengthOf(value: unknown): number | null {
  const whole = typeof value === 'number' ? Math.round(value) : 0;
  return whole > 0 && whole <= 100_000 ? whole : null;
}
