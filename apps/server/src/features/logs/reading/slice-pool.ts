const sliceMaxBytes = 2 * 1024 * 1024
const keptMax = 4

const kept: Buffer[] = []

/**
 * A piece of memory to read into, as long as what is to be read but no longer than 2 MiB. Long ones are
 * used again and again: left to the garbage collector they would pile up faster than it looks.
 */
export function takeSlice(bytesWanted: number): Buffer {
  if (bytesWanted < sliceMaxBytes) return Buffer.allocUnsafeSlow(Math.max(0, bytesWanted))
  return kept.pop() ?? Buffer.allocUnsafeSlow(sliceMaxBytes)
}

/** The caller must not look at a piece that it has given back. */
export function giveBack(slice: Buffer): void {
  if (slice.length === sliceMaxBytes && kept.length < keptMax) kept.push(slice)
}
