type ImageKind = 'png' | 'jpeg' | 'webp' | 'gif'

/** The kind of an image by its first bytes; undefined for every kind that is not accepted. */
export function sniffImage(bytes: Buffer): ImageKind | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (/^RIFF[^]{4}WEBP$/.test(head)) return 'webp'
  return undefined
}

const startOfScan = Buffer.from([0xff, 0xda])

/**
 * How many scans a JPEG consists of, at the least; counting ends at the limit. Each scan goes over
 * the whole picture again, and takes but a few bytes to ask for.
 */
export function countScans(jpeg: Buffer, limit: number): number {
  let count = 0
  let at = jpeg.indexOf(startOfScan)
  while (at !== -1 && count < limit) {
    count++
    at = jpeg.indexOf(startOfScan, at + startOfScan.length)
  }
  return count
}
