/**
 * What a driver throws from a result on its way when a value does not fit the column it promised: asked the same
 * query again, the connection promises wider columns. Only databases whose columns have no types need it.
 */
export class RetryQuery extends Error {
  override readonly name = 'RetryQuery';
}
