import type { Db } from '../../src/db/connect.ts'
import { revisionStore } from '../../src/publishing/revision-store.ts'

/** Of the installation that bounds are given for. */
export const largeSizes = { apis: 1_000, endpoints: 20_000, roles: 500, users: 2_000 }

/** Of a role; one role has all of them. */
const endpointsOfRole = 200
const rolesOfUser = 2
const rowsAtOnce = 500

/**
 * Fills up to these sizes with copies of the newest API, endpoint, role and user, and gives the copies of roles
 * endpoints and users. No product may run on the database.
 */
export async function fillLarge(db: Db, wanted: typeof largeSizes): Promise<void> {
  await fill(db, 'api', wanted.apis, apiNames)
  const apis = await idsOf(db, 'api')
  await fill(db, 'endpoint', wanted.endpoints, (number) => ({
    ...endpointNames(number),
    api_id: apis[number % wanted.apis],
  }))
  await fill(db, 'role', wanted.roles, roleNames)
  await fill(db, 'user', wanted.users, userNames)
  await fillAccess(db)
  await db
    .transaction()
    .execute((transaction) => revisionStore(transaction, () => undefined).bump())
}

type Table = 'api' | 'endpoint' | 'role' | 'user'

async function fill(
  db: Db,
  table: Table,
  wanted: number,
  namesOf: (number: number) => object,
): Promise<void> {
  const { id: _, ...first } = await db
    .selectFrom(table)
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { length: there } = await idsOf(db, table)
  for (let at = there; at < wanted; at += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, wanted - at) }, (_, index) => ({
      ...first,
      ...namesOf(at + index),
    }))
    await db.insertInto(table).values(rows).execute()
  }
}

const idsOf = async (db: Db, table: Table): Promise<number[]> =>
  (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)

async function fillAccess(db: Db): Promise<void> {
  const { count } = await db
    .selectFrom('role_endpoint')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count > 0) return
  const filled = await db.selectFrom('role').select(['id', 'name']).orderBy('id').execute()
  const roles = filled.filter(({ name }) => name.startsWith('Branch ')).map(({ id }) => id)
  const endpoints = await idsOf(db, 'endpoint')
  const access = roles.flatMap((role_id, at) =>
    Array.from({ length: at === 0 ? endpoints.length : endpointsOfRole }, (_, index) => ({
      role_id,
      endpoint_id: endpoints[(at * 37 + index) % endpoints.length]!,
    })),
  )
  for (let at = 0; at < access.length; at += rowsAtOnce)
    await db
      .insertInto('role_endpoint')
      .values(access.slice(at, at + rowsAtOnce))
      .execute()
  const users = (await idsOf(db, 'user')).slice(1)
  const members = users.flatMap((user_id, at) =>
    Array.from({ length: rolesOfUser }, (_, index) => ({
      user_id,
      role_id: roles[(at + index * 101) % roles.length]!,
    })),
  )
  for (let at = 0; at < members.length; at += rowsAtOnce)
    await db
      .insertInto('user_role')
      .values(members.slice(at, at + rowsAtOnce))
      .execute()
}

const words = ['invoice', 'receipt', 'credit note', 'status', 'customer', 'product', 'journal']

const apiNames = (number: number) => ({
  name: `Authority ${number}`,
  name_key: `authority ${number}`,
  context: `authority-${number}`,
})

function endpointNames(number: number) {
  const path = `/filled/${number}/{id}`
  const word = words[number % words.length] ?? ''
  return {
    path,
    path_key: path.replace('{id}', '{}'),
    summary: `Filled ${word} ${number}`,
    description: `Sends one ${word} to branch ${number % 97}`,
  }
}

const roleNames = (number: number) => ({
  name: `Branch ${number}`,
  name_key: `branch ${number}`,
})

const userNames = (number: number) => ({
  name: `Clerk ${number}`,
  email: `clerk${number}@example.com`,
  email_key: `clerk${number}@example.com`,
  username: `clerk${number}`,
  username_key: `clerk${number}`,
})
