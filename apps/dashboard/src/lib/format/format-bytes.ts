type Unit = readonly [name: string, bytes: number]

const decimal: readonly Unit[] = [
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
]
const binary: readonly Unit[] = [
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]
const systems = { decimal: { base: 1000, units: decimal }, binary: { base: 1024, units: binary } }

/** A size as people read it: `840 B`, `1.2 KB`, `3.4 MB`, or in the binary system `1.5 KiB`. */
export function formatBytes(bytes: number, system: keyof typeof systems): string {
  const { base, units } = systems[system]
  let text = `${bytes} B`
  for (const [name, size] of units) {
    // What would be read as 1000.0 KB is 1.0 MB.
    if (Number.parseFloat(text) < base) break
    text = `${(bytes / size).toFixed(1)} ${name}`
  }
  return text
}

/** A size as it is typed, to the byte: in the largest unit that leaves no fraction. */
export function formatExactBytes(bytes: number): string {
  const fits = ([, size]: Unit) => bytes !== 0 && bytes % size === 0
  const [name, size] = binary.findLast(fits) ?? decimal.findLast(fits) ?? ['B', 1]
  return `${bytes / size} ${name}`
}
