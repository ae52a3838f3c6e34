/** A list or an object: it is shown as a tree. */
export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

/** A picture that is its own text; nothing is fetched for it, and it has no scripts. */
export function isPicture(value: unknown): value is string {
  return typeof value === 'string' && PICTURE.test(value);
}
