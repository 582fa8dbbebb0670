const units: readonly [string, number][] = [
  ['TiB', 2 ** 40],
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
]

/** A number of bytes as it is typed: in the largest unit that holds it without a rest. */
export function formatSize(bytes: number): string {
  const unit = bytes === 0 ? undefined : units.find(([, factor]) => bytes % factor === 0)
  return unit ? `${bytes / unit[1]} ${unit[0]}` : `${bytes} B`
}
