import { connect, type DatabaseSource } from '../../apps/server/src/db/connect.ts'

const rowsAtOnce = 500

/** Adds copies of the first endpoint until there are so many. No product may run on the database. */
export async function fillEndpoints(source: DatabaseSource, endpoints: number): Promise<void> {
  const db = connect(source)
  try {
    const { id: _, ...first } = await db
      .selectFrom('endpoint')
      .selectAll()
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const { count } = await db
      .selectFrom('endpoint')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    for (let at = count; at < endpoints; at += rowsAtOnce) {
      const rows = Array.from({ length: Math.min(rowsAtOnce, endpoints - at) }, (_, index) => ({
        ...first,
        ...namesOf(at + index),
      }))
      await db.insertInto('endpoint').values(rows).execute()
    }
  } finally {
    await db.destroy()
  }
}

const words = ['invoice', 'receipt', 'credit note', 'status', 'customer', 'product', 'journal']

function namesOf(number: number) {
  const path = `/filled/${number}/{id}`
  const word = words[number % words.length] ?? ''
  return {
    path,
    path_key: path.replace('{id}', '{}'),
    summary: `Filled ${word} ${number}`,
    description: `Sends one ${word} to branch ${number % 97}`,
  }
}
