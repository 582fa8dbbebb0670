const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** A length that is read at a glance: `12 bytes`, `3.4 MB`. */
export function fileSize(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  const digits = unit > 0 && size < 10 ? 1 : 0
  return `${size.toFixed(digits)} ${units[unit] ?? ''}`
}
