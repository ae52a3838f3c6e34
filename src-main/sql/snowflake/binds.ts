/** Converts bound values to parameters and casts of Snowflake statements. */

import type { BindValue } from '../bindValue.ts';
import type { Insertion } from '../render.ts';
import type { Statement } from '../statement.ts';

/** The value that is sent for a bind, and the cast that gives it its type. */
interface SnowflakeBind {
  readonly value: string | number | boolean | null;
  /** Written around the slot, because the client only has the types text, number and boolean. */
  readonly cast: readonly [before: string, after: string] | null;
}

/** The value and cast that are sent for a bind. */
export function snowflakeBind(bind: BindValue): SnowflakeBind {
  switch (bind.type) {
    case 'null':
    case 'bool':
    case 'text':
      return { value: bind.value, cast: null };
    case 'uuid':
      return { value: bind.value, cast: null };
    case 'int':
      // A number without a cast is also allowed after LIMIT.
      return Number.isSafeInteger(Number(bind.value))
        ? { value: Number(bind.value), cast: null }
        : { value: bind.value.toString(), cast: ['', '::NUMBER(38,0)'] };
    case 'float':
      return { value: floatText(bind.value), cast: ['', '::FLOAT'] };
    case 'decimal':
      return { value: bind.value, cast: ['', `::NUMBER(38,${scaleOf(bind.value)})`] };
    case 'bytes':
      return { value: Buffer.from(bind.value).toString('hex'), cast: ['TO_BINARY(', ", 'HEX')"] };
    case 'date':
      return { value: bind.value, cast: ['', '::DATE'] };
    case 'time':
      return { value: bind.value, cast: ['', '::TIME(9)'] };
    case 'timestamp':
      return timestamp(bind.value);
  }
}

/** The casts to insert into the statement's text: around each placeholder, in the order of the slots. */
export function castInsertions(statement: Statement, binds: readonly BindValue[]): readonly Insertion[] {
  return statement.placeholders.flatMap(({ start, end }, slot) => {
    const bind = binds[slot];
    const cast = bind === undefined ? null : snowflakeBind(bind).cast;
    if (cast === null) return [];
    return [
      { at: start, text: cast[0] },
      { at: end, text: cast[1] },
    ];
  });
}

function timestamp(text: string): SnowflakeBind {
  if (!/(Z|[+-]\d{2}(:?\d{2})*)$/.test(text.slice(10)))
    return { value: text, cast: ['', '::TIMESTAMP_NTZ(9)'] };
  return { value: text.replace(/Z$/, '+00:00'), cast: ['', '::TIMESTAMP_TZ(9)'] };
}

/** Snowflake's spelling of floats, including those that JSON cannot represent. */
function floatText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'inf' : '-inf';
}

function scaleOf(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : Math.min(37, text.length - point - 1);
}
