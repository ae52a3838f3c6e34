/**
 * A driver throws this from a result when a value does not fit the promised column: when the query is repeated, the
 * connection promises wider columns. Only needed for databases whose columns have no types.
 */
export class RetryQuery extends Error {
  override readonly name = 'RetryQuery';
}
