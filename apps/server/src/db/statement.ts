import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './connect.ts'
import { isPostgres } from './dialect.ts'

/** Stands in a statement for a value that each execution brings. */
class Slot {
  readonly path: readonly string[]

  constructor(path: readonly string[]) {
    this.path = path
  }
}

interface Prepared {
  compiled: CompiledQuery
  parameters: readonly unknown[]
}

/** A value, or columns and their values. */
type Values = Readonly<Record<string, unknown>>

/**
 * A statement that is built once and executed often: building costs more than executing it. `build`
 * gets values that it may only put into the statement. They are not the real ones, so that it can
 * neither look at them nor leave a part out because of one. A value that is an object is a set of
 * columns; each other set of columns makes another text.
 */
export function statement<V extends object, R>(
  build: (db: Db, values: V) => Compilable<R>,
): (db: Db, values: V) => Promise<QueryResult<R>> {
  const known = { postgres: new Map<string, Prepared>(), sqlite: new Map<string, Prepared>() }
  return (db, given) => {
    const values = given as Values
    const ofDatabase = known[isPostgres(db) ? 'postgres' : 'sqlite']
    const shape = shapeOf(values)
    let prepared = ofDatabase.get(shape)
    if (!prepared) {
      const compiled = build(db, slotsOf(values) as V).compile()
      prepared = { compiled, parameters: compiled.parameters }
      ofDatabase.set(shape, prepared)
    }
    const parameters = prepared.parameters.map((each) =>
      each instanceof Slot ? valueAt(values, each.path) : each,
    )
    return db.executeQuery<R>({ ...(prepared.compiled as CompiledQuery<R>), parameters })
  }
}

/** Whether the statement has changed a row. */
export const hasChanged = ({ numAffectedRows }: QueryResult<unknown>): boolean =>
  (numAffectedRows ?? 0n) > 0n

const isColumns = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** The names of the values; a column that is undefined is left out, as Kysely does. */
const namesOf = (columns: Values) =>
  Object.keys(columns).filter((name) => columns[name] !== undefined)

const shapeOf = (values: Values) =>
  Object.entries(values)
    .map(([name, value]) => (isColumns(value) ? `${name}:${namesOf(value).join()}` : name))
    .join(';')

const slotsOf = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isColumns(value)
        ? Object.fromEntries(namesOf(value).map((column) => [column, new Slot([name, column])]))
        : new Slot([name]),
    ]),
  )

const valueAt = (values: Values, [name = '', column]: readonly string[]) =>
  column === undefined ? values[name] : (values[name] as Values)[column]
