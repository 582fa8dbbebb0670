import {
  emptyObject,
  isLosslessNumber,
  isNumberKey,
  LosslessNumber,
  orderedObject,
} from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'
import { ProcedureFailure } from './procedure-failure.ts'
import type { ProcedureBody, ProcedureColumn } from './procedure-types.ts'

interface AnswerBounds {
  maxRows: number
  maxBytes: number
}

/**
 * Collects an answer while it streams in and holds it to its bounds: the method that goes beyond
 * them throws, and the driver then stops reading. Record sets count as one row each.
 */
export class AnswerBuilder {
  readonly columns: ProcedureColumn[][] = []
  readonly #bounds: AnswerBounds
  readonly #recordsets: ExactObject[][] = []
  readonly #rowsAffected: ExactJson[] = []
  readonly #output = emptyObject()
  #returnValue: ExactJson = null
  #names: readonly string[] = []
  #makeRow = emptyObject
  #keyBytes = 0
  #rows = 0
  #bytes = 0

  constructor(bounds: AnswerBounds) {
    this.#bounds = bounds
  }

  /** Opens the next record set; rows that follow belong to it. */
  startRecordset(columns: readonly ProcedureColumn[]): void {
    const keys = keysOf(columns)
    this.#names = keys.names
    // A column named 10 keeps its place.
    this.#makeRow = keys.names.some(isNumberKey) ? orderedObject : emptyObject
    this.#keyBytes = keys.bytes
    this.columns.push(keys.columns)
    this.#recordsets.push([])
    this.#count(this.#keyBytes)
  }

  /** Values in the order of the columns. `bytes`: their size in JSON, where the driver knows it. */
  addRow(values: readonly ExactJson[], bytes?: number): void {
    this.#count(this.#keyBytes + (bytes ?? sizeOfAll(values)))
    const row = this.#makeRow()
    const names = this.#names
    for (let index = 0; index < names.length; index++) {
      row[names[index] ?? ''] = values[index] ?? null
    }
    this.#recordsets.at(-1)?.push(row)
  }

  addRowsAffected(count: number | bigint): void {
    this.#rowsAffected.push(new LosslessNumber(String(count)))
  }

  setOutput(name: string, value: ExactJson): void {
    this.#addBytes(Buffer.byteLength(name) + 4 + sizeOf(value))
    this.#output[name] = value
  }

  setReturnValue(value: ExactJson): void {
    this.#returnValue = value
  }

  get body(): ProcedureBody {
    return Object.assign(emptyObject(), {
      recordsets: this.#recordsets,
      output: this.#output,
      returnValue: this.#returnValue,
      rowsAffected: this.#rowsAffected,
    })
  }

  /** Bounds the bytes that have arrived, so that one huge value is refused before it is complete. */
  checkReceived(bytes: number): void {
    if (bytes > this.#bounds.maxBytes * 2) throw this.#tooLarge()
  }

  #count(bytes: number) {
    this.#rows++
    if (this.#rows - this.#recordsets.length > this.#bounds.maxRows || this.#isOverrun()) {
      const message = `The stored procedure returned more than ${this.#bounds.maxRows} rows.`
      throw new ProcedureFailure('procedure.too_many_rows', { isSent: true, message })
    }
    this.#addBytes(bytes)
  }

  /** Whether there are more record sets than rows allowed. Empty record sets are bounded by this. */
  #isOverrun(): boolean {
    return this.#recordsets.length > this.#bounds.maxRows
  }

  #addBytes(bytes: number) {
    this.#bytes += bytes
    if (this.#bytes > this.#bounds.maxBytes) throw this.#tooLarge()
  }

  #tooLarge() {
    const detail = `The answer is larger than ${this.#bounds.maxBytes} bytes.`
    return new ProcedureFailure('procedure.too_large', { isSent: true, detail })
  }
}

interface RecordsetKeys {
  names: readonly string[]
  /** Bytes that the names take in each row. */
  bytes: number
  columns: ProcedureColumn[]
}

/** Keeps the names for a driver that passes the same list of columns again. */
const knownKeys = new WeakMap<readonly ProcedureColumn[], RecordsetKeys>()

function keysOf(columns: readonly ProcedureColumn[]): RecordsetKeys {
  const known = knownKeys.get(columns)
  if (known) return known
  const names = uniqueNames(columns.map(({ name }) => name))
  let bytes = 3
  for (const name of names) bytes += Buffer.byteLength(name) + 4
  const renamed = columns.map(({ type }, index) => ({ name: names[index] ?? '', type }))
  const keys = { names, bytes, columns: renamed }
  knownKeys.set(columns, keys)
  return keys
}

/**
 * Names fit for the keys of one object: a column without a name becomes `column_2` by its place, a
 * second `id` becomes `id_2`. Nothing is dropped, and the same columns always get the same names.
 */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names)
  const used = new Set<string>()
  return names.map((given, index) => {
    let name = given === '' ? `column_${index + 1}` : given
    for (let count = 2; used.has(name) || (name !== given && taken.has(name)); count++) {
      name = `${given === '' ? `column_${index + 1}` : given}_${count}`
    }
    used.add(name)
    return name
  })
}

function sizeOfAll(values: readonly ExactJson[]): number {
  let bytes = 0
  for (const value of values) bytes += sizeOf(value)
  return bytes
}

/** Size in JSON, escapes not counted. */
function sizeOf(value: ExactJson): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2
  if (value === null || typeof value === 'boolean') return 5
  if (isLosslessNumber(value)) return value.value.length
  let bytes = 2
  if (Array.isArray(value)) {
    for (const item of value) bytes += sizeOf(item) + 1
    return bytes
  }
  for (const key of Object.keys(value)) bytes += key.length + 4 + sizeOf(value[key] ?? null)
  return bytes
}
