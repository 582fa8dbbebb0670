/** A value at a moment; moments are in milliseconds. */
export type Sample = readonly [atMs: number, value: number]

const hourMs = 3_600_000

/** The slope per hour by least squares over the last two thirds of the samples: the first third is warming up. */
export function slopePerHour(samples: readonly Sample[]): number {
  const used = samples.slice(Math.floor(samples.length / 3))
  const mean = (at: 0 | 1) => used.reduce((sum, sample) => sum + sample[at], 0) / used.length
  const [meanAt, meanValue] = [mean(0), mean(1)]
  let both = 0
  let squares = 0
  for (const [at, value] of used) {
    both += (at - meanAt) * (value - meanValue)
    squares += (at - meanAt) ** 2
  }
  return squares === 0 ? 0 : (both / squares) * hourMs
}

/** The mean of the first (0), second (1) or last (2) third of the samples. */
export function meanOfThird(samples: readonly Sample[], third: 0 | 1 | 2): number {
  const size = samples.length / 3
  const used = samples.slice(Math.floor(third * size), Math.floor((third + 1) * size))
  return used.reduce((sum, [, value]) => sum + value, 0) / used.length
}
