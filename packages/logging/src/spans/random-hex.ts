import { randomFillSync } from 'node:crypto'

/** Random digits are made many at a time: a call for each id would cost more than the rest of a span. */
const pool = Buffer.allocUnsafeSlow(4 * 1024)
let at = pool.length

/** Hexadecimal, in lower case. */
export function randomHex(bytes: number): string {
  if (at + bytes > pool.length) {
    randomFillSync(pool)
    at = 0
  }
  at += bytes
  return pool.toString('hex', at - bytes, at)
}
