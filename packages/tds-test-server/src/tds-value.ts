/** A value in a script. Numbers and times as text keep their digits; binary is a Buffer. */
export type TdsValue = string | number | bigint | boolean | Buffer | null

export interface TdsTypeSpec {
  /** Like `decimal`. */
  name: string
  /** Like `(38,10)`: precision and scale, or fraction digits. */
  precision: number
  scale: number
  /** Of texts and binaries, in bytes; 0xffff is max. */
  length: number
  /** Sent as a type that knows no NULL (2.2.5.4.1), as columns that are NOT NULL are. */
  isFixed: boolean
}
