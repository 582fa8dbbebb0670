/** Numbers within [0, below), the same for the same seed (Park and Miller's generator). */
export function seededIntegers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** The bytes with one to three of them changed, set to 255 or added, and now and then cut off. */
export function mutated(bytes: Buffer, integer: (below: number) => number): Buffer {
  let copy = Buffer.from(bytes)
  for (let left = 1 + integer(3); left > 0; left--) {
    const at = integer(copy.length)
    const how = integer(4)
    if (how === 0) copy[at] = integer(256)
    else if (how === 1) copy[at] = 255
    else if (how === 2) copy[at] = (copy[at] ?? 0) ^ (1 << integer(8))
    else copy = Buffer.concat([copy.subarray(0, at), Buffer.of(integer(256)), copy.subarray(at)])
  }
  return integer(10) === 0 ? copy.subarray(0, integer(copy.length)) : copy
}
