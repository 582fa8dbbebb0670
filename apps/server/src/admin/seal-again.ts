import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { createSecretBox, type SecretBox } from '../kernel/secret-box.ts'
import { sealedColumns, type SealedColumns } from './sealed-columns.ts'

interface SealedAgain {
  /** Sealed with the new key by this pass. */
  sealed: number
  /** Opened by neither key: table, row and column. */
  closed: string[]
}

interface Boxes {
  old: SecretBox
  current: SecretBox
}

/**
 * Seals with the new key what the previous one has sealed, one secret at a time: servers go on saving meanwhile,
 * and a secret that one of them has changed is left as it is. It may break off and be done again.
 */
export async function sealAgain(
  db: Db,
  { key, previous }: { key: Buffer; previous: Buffer },
): Promise<SealedAgain> {
  const result: SealedAgain = { sealed: 0, closed: [] }
  const boxes = { current: createSecretBox(key), old: createSecretBox(previous) }
  for (const each of sealedColumns) await sealTable(db, each, boxes, result)
  return result
}

type Found = Record<string, string | number | null>

async function sealTable(db: Db, table: SealedColumns, boxes: Boxes, result: SealedAgain) {
  const names = sql.join([...table.keys, ...table.columns].map((name) => sql.ref(name)))
  // As few as there are APIs, webhooks and channels.
  const { rows } = await sql<Found>`select ${names} from ${sql.table(table.table)}`.execute(db)
  for (const row of rows)
    for (const column of table.columns) await sealOne(db, { table, row, column }, boxes, result)
}

interface Spot {
  table: SealedColumns
  row: Found
  column: string
}

async function sealOne(db: Db, { table, row, column }: Spot, boxes: Boxes, result: SealedAgain) {
  const before = row[column]
  if (typeof before !== 'string') return
  const place = { table: table.table, ...table.placeOf(row, column) }
  if (opened(boxes.current, before, place) !== undefined) return
  const plain = opened(boxes.old, before, place)
  if (plain === undefined) {
    result.closed.push(`${table.table} ${table.keys.map((key) => row[key]).join(' ')} ${column}`)
    return
  }
  const isRow = sql.join(
    table.keys.map((key) => sql`${sql.ref(key)} = ${row[key]}`),
    sql` and `,
  )
  const sealed = boxes.current.seal(plain, place)
  await sql`update ${sql.table(table.table)} set ${sql.ref(column)} = ${sealed}
    where ${isRow} and ${sql.ref(column)} = ${before}`.execute(db)
  result.sealed++
}

function opened(box: SecretBox, sealed: string, place: Parameters<SecretBox['open']>[1]) {
  try {
    return box.open(sealed, place)
  } catch {
    return undefined
  }
}
