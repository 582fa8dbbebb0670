import type { Generated, SelectType } from 'kysely'

/** How the database holds a value, and what it means. */
interface Codec<Stored, Meaning> {
  read: (stored: Stored) => Meaning
  write: (meaning: Meaning) => Stored
}

/** A column of a table: its name and its codec. The compiler knows what it holds, and what that means. */
interface Column<T, Meaning = SelectType<T>> {
  readonly [held]?: T
  readonly [meant]?: Meaning
  readonly codec?: Codec<SelectType<T>, Meaning>
}
declare const held: unique symbol
declare const meant: unique symbol

/** The row type of a table, as Kysely wants it, from its columns. */
export type TableOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer T, infer _> ? T : never
}

/** These columns of a row as the database holds them. */
type StoredIn<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer T, infer _> ? SelectType<T> : never
}

/** These columns of a row as what they mean: flags are booleans, JSON is what it says. */
type MeaningOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer _, infer Meaning> ? Meaning : never
}

type AnyColumns = Readonly<Record<string, { readonly codec?: unknown }>>

/** These columns of a row as what they mean, and no other. */
export const readRow = <Columns extends AnyColumns>(columns: Columns, row: StoredIn<Columns>) =>
  eachOf(columns, row, 'read') as MeaningOf<Columns>

/** The other way: of what is given these columns, as the database holds them. */
export const writeRow = <Columns extends AnyColumns>(columns: Columns, given: MeaningOf<Columns>) =>
  eachOf(columns, given, 'write') as StoredIn<Columns>

const eachOf = (columns: AnyColumns, values: Record<string, unknown>, way: 'read' | 'write') =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const codec = column.codec as Codec<unknown, unknown> | undefined
      return [name, codec ? codec[way](values[name]) : values[name]]
    }),
  )

type Flag = 0 | 1

export const column = <T>(): Column<T> => ({})

export const text = column<string>()
export const textOrNull = column<string | null>()
export const number = column<number>()
export const numberOrNull = column<number | null>()
/** Set by the database where an insert leaves it out. */
export const generatedNumber = column<Generated<number>>()
export const generatedText = column<Generated<string>>()

const flagCodec: Codec<Flag, boolean> = {
  read: (stored) => stored === 1,
  write: (meaning) => (meaning ? 1 : 0),
}
export const flag: Column<Flag, boolean> = { codec: flagCodec }
export const generatedFlag: Column<Generated<Flag>, boolean> = { codec: flagCodec }

/** What JSON says that only our own code has written. */
export const json = <T>(): Column<string, T> => ({
  codec: { read: (stored) => JSON.parse(stored) as T, write: (meaning) => JSON.stringify(meaning) },
})

export const jsonOrNull = <T>(): Column<string | null, T | null> => ({
  codec: {
    read: (stored) => (stored === null ? null : (JSON.parse(stored) as T)),
    write: (meaning) => (meaning === null ? null : JSON.stringify(meaning)),
  },
})
