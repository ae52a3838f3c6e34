/**
 * A value bound to a placeholder, with the type that the upstream cell gave it (docs/spec/sql.md, 1). It is sent to the
 * database separately from the statement, never within its text. Plain data, so it can be sent between threads.
 *
 * `decimal` is text without an exponent; `uuid` canonical lower case; `date` `2024-02-29`; `time` `13:05:09.000120`;
 * `timestamp` `2024-02-29T13:05:09.000120`, followed by its offset (`+02:00`, `Z`) when the value has a zone.
 */
export type BindValue =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'decimal'; readonly value: string }
  | { readonly type: 'uuid'; readonly value: string }
  | { readonly type: 'timestamp'; readonly value: string }
  | { readonly type: 'date'; readonly value: string }
  | { readonly type: 'time'; readonly value: string };

export type BindType = BindValue['type'];
