export function GalleryPage() {
  return <main className="gallery" />;
}
