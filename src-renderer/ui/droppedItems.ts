/** The files and folders of a drop or paste. If the browser does not say what an entry is, it counts as a file. */
export function droppedItems(
  data: DataTransfer,
): readonly { readonly file: File; readonly isFolder: boolean }[] {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  return [...data.files].map((file, at) => ({
    file,
    isFolder: items[at]?.webkitGetAsEntry?.()?.isDirectory === true,
  }));
}
