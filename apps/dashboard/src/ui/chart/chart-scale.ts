/**
 * Where an axis from 0 is marked: steps of 1, 2 or 5 times a power of ten, about `count` of them, the last
 * one at `highest` or above. `[0, 1]` where there is nothing to show.
 */
export function axisTicks(highest: number, count: number, smallestStep = 0): number[] {
  if (!(highest > 0)) return [0, 1]
  const step = Math.max(smallestStep, niceStep(highest / count))
  const steps = Math.ceil(highest / step - 1e-9)
  return Array.from({ length: steps + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5].find((each) => each * power >= least * (1 - 1e-9)) ?? 10
  return factor * power
}

/** Which of `length` marks are named when there is room for `room` names: evenly apart, never two too close. */
export function namedMarks(length: number, room: number): number[] {
  const each = Math.max(1, Math.ceil(length / Math.max(1, room)))
  return Array.from({ length: Math.ceil(length / each) }, (_, at) => at * each)
}

/** The parts of a line between gaps: a lone value is a part of its own. */
export function partsOf(values: readonly (number | null)[]): { at: number; value: number }[][] {
  const parts: { at: number; value: number }[][] = []
  let isOpen = false
  for (const [at, value] of values.entries()) {
    if (value !== null && !isOpen) parts.push([])
    isOpen = value !== null
    if (value !== null) parts.at(-1)?.push({ at, value })
  }
  return parts
}
