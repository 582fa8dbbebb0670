export type Random = ReturnType<typeof seededRandom>

/** Numbers that look like chance and are the same every time (mulberry32). */
export function seededRandom(seed: number) {
  let state = (seed * 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    integer,
    pick: <T>(list: readonly T[]): T => list[integer(0, list.length - 1)] as T,
    bytes: (length: number) => Buffer.from(Uint8Array.from({ length }, () => integer(0, 255))),
  }
}
