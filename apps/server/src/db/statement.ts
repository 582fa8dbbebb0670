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

/** More would come from lists of many lengths, which are built each time. */
const shapesMax = 100

/**
 * A statement that is built once and executed often: building costs more than executing it. `build`
 * gets values that it may only put into the statement. They are not the real ones, so that it can
 * neither look at them nor leave a part out because of one. A value may be a set of columns, or a
 * list: another set, or another length, makes another text.
 */
export function statement<V extends object, R>(
  build: (db: Db, values: V) => Compilable<R>,
): (db: Db, values: V) => Promise<QueryResult<R>> {
  const known = {
    postgres: new Map<string, CompiledQuery<R>>(),
    sqlite: new Map<string, CompiledQuery<R>>(),
  }
  return (db, values) => {
    const ofDatabase = known[isPostgres(db) ? 'postgres' : 'sqlite']
    const shape = shapeOf(values)
    let compiled = ofDatabase.get(shape)
    if (!compiled) {
      compiled = build(db, slotsOf(values, []) as V).compile()
      if (ofDatabase.size < shapesMax) ofDatabase.set(shape, compiled)
    }
    const parameters = compiled.parameters.map((each) =>
      each instanceof Slot ? valueAt(values, each.path) : each,
    )
    return db.executeQuery<R>({ ...compiled, parameters })
  }
}

/** Whether the statement has changed a row. */
export const hasChanged = ({ numAffectedRows }: QueryResult<unknown>): boolean =>
  (numAffectedRows ?? 0n) > 0n

/** Columns and lists; bytes are values. */
const isComposed = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

/** A column that is undefined is left out, as Kysely does. */
const partsOf = (composed: object) =>
  Object.entries(composed).filter(([, value]) => value !== undefined) as [string, unknown][]

const shapeOf = (composed: object): string =>
  partsOf(composed)
    .map(([name, value]) => (isComposed(value) ? `${name}(${shapeOf(value)})` : name))
    .join()

function slotsOf(composed: object, path: readonly string[]): unknown {
  const slots = partsOf(composed).map(([name, value]): [string, unknown] => {
    const own = [...path, name]
    return [name, isComposed(value) ? slotsOf(value, own) : new Slot(own)]
  })
  return Array.isArray(composed) ? slots.map(([, slot]) => slot) : Object.fromEntries(slots)
}

const valueAt = (values: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], values)
