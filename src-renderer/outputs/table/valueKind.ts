/** Kinds of values in a table's cell that are not shown as plain text: trees and pictures. */

/** Whether a value is a list or an object, which is shown as a tree. */
export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

/** Whether a value is a picture as a data URL: nothing is fetched for it, and it cannot contain scripts. */
export function isPicture(value: unknown): value is string {
  return typeof value === 'string' && PICTURE.test(value);
}
