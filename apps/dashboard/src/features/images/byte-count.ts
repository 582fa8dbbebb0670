/** A number of bytes as people read it: `840 B`, `1.2 KB`, `3.4 MB`. */
export function byteCount(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [value, unit] = bytes < 999_950 ? [bytes / 1e3, 'KB'] : [bytes / 1e6, 'MB']
  return `${value.toFixed(1)} ${unit}`
}
