import type { Generated } from 'kysely'

/** A column of a table. At run time only its name is there; the compiler knows what it holds. */
export interface Column<T> {
  readonly [held]?: T
}
declare const held: unique symbol

/** The row type of a table, as Kysely wants it, from its columns. */
export type TableOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never
}

type Flag = 0 | 1

export const column = <T>(): Column<T> => ({})

export const text = column<string>()
export const textOrNull = column<string | null>()
export const number = column<number>()
export const numberOrNull = column<number | null>()
export const flag = column<Flag>()
/** Set by the database where an insert leaves it out. */
export const generatedNumber = column<Generated<number>>()
export const generatedText = column<Generated<string>>()
export const generatedFlag = column<Generated<Flag>>()
