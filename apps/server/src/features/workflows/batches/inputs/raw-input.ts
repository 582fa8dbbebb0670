import type { FieldErrors } from '@gatehouse/contract'

/** Where a row is in a CSV file. */
export interface RowPlace {
  /** The line that it begins in, from 1. */
  fileLine: number
  /** Its bytes, with the blank rows before it and the end of its line: from, and to without that one. */
  range: readonly [from: number, to: number]
  /** As they are written, without quotes. */
  cells: readonly string[]
}

interface Counted {
  /** Counts inputs from 1. */
  line: number
  /** Of CSV alone. */
  place?: RowPlace
}

/** An input of an upload as JSON text, or why it can't be read. */
export type RawInput = Counted & ({ text: string } | { errors: FieldErrors })

/** The header of a CSV file. */
export interface CsvHeader {
  columns: readonly string[]
  /** How many bytes come before the first row. */
  bytes: number
}
