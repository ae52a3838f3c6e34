/** Converts bound values to query parameters of BigQuery's API. */

import type { BindValue } from '../bindValue.ts';

/** A positional parameter of the API. */
export interface QueryParameter {
  readonly parameterType: { readonly type: string };
  readonly parameterValue: { readonly value: string | null };
}

/** A bound value as a parameter of the API. */
export function queryParameter(bind: BindValue): QueryParameter {
  const [type, value] = typeAndValue(bind);
  return { parameterType: { type }, parameterValue: { value } };
}

function typeAndValue(bind: BindValue): readonly [type: string, value: string | null] {
  switch (bind.type) {
    case 'null':
      // A parameter needs a type, and STRING is converted to most others implicitly.
      return ['STRING', null];
    case 'bool':
      return ['BOOL', String(bind.value)];
    case 'int':
      return BigInt.asIntN(64, bind.value) === bind.value
        ? ['INT64', bind.value.toString()]
        : [decimalType(bind.value.toString()), bind.value.toString()];
    case 'float':
      return ['FLOAT64', String(bind.value)];
    case 'text':
    case 'uuid':
      return ['STRING', bind.value];
    case 'bytes':
      return ['BYTES', Buffer.from(bind.value).toString('base64')];
    case 'decimal':
      return [decimalType(bind.value), bind.value];
    case 'date':
      return ['DATE', bind.value];
    case 'time':
      return ['TIME', bind.value];
    case 'timestamp':
      return [/(Z|[+-]\d{2}(:?\d{2})*)$/.test(bind.value.slice(10)) ? 'TIMESTAMP' : 'DATETIME', bind.value];
  }
}

/** NUMERIC has 29 digits before and 9 after the decimal point. */
function decimalType(text: string): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  return whole.length <= 29 && fraction.length <= 9 ? 'NUMERIC' : 'BIGNUMERIC';
}
