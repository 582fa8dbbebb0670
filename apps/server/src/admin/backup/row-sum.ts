import { createHash } from 'node:crypto'
import type { Value } from '../../db/whole-database.ts'

/** What a table holds, in whatever order: equal on two databases where every row is equal. */
export interface TableSum {
  rows: number
  /** The sum of the SHA-256 of all rows, modulo 2^256, in hexadecimal digits. */
  sha256: string
}

const modulus = 2n ** 256n

/** Sums up the rows of a table. A row counts as the JSON of its values in the order of its columns. */
export class RowSum {
  #rows = 0
  #sum = 0n

  add(json: string): void {
    this.#rows++
    const digest = createHash('sha256').update(json).digest('hex')
    this.#sum = (this.#sum + BigInt(`0x${digest}`)) % modulus
  }

  get total(): TableSum {
    return { rows: this.#rows, sha256: this.#sum.toString(16).padStart(64, '0') }
  }
}

export const rowText = (row: readonly Value[]): string => JSON.stringify(row)

export const isSameSum = (a: TableSum, b: TableSum): boolean =>
  a.rows === b.rows && a.sha256 === b.sha256
