import { createHmac, timingSafeEqual } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiFault } from '@gatehouse/contract'
import { findAppKey, loadAppKey, StartError } from './data-dir.ts'
import type { Db } from '../db/connect.ts'
import { createSecretBox } from '../kernel/secret-box.ts'
import { faultOf } from '../publishing/snapshot-api.ts'

const rowId = 1
const purpose = 'gatehouse key check value 1'

/**
 * The key that this database was used with; its first start makes one and notes its check value. Throws a
 * StartError, fit for the operator to read, where the key is another or missing: with another key every stored
 * secret would be unreadable, and what is saved would be lost to the servers that have the right one.
 */
export async function openAppKey(
  db: Db,
  dataDir: string,
  given: Buffer | undefined,
  now: Date,
  previous?: Buffer,
): Promise<Buffer> {
  const isNew = findAppKey(dataDir, given) === undefined
  const known = await findCheckValue(db)
  const key = loadAppKey(dataDir, given, known !== undefined || (await hasSecrets(db)))
  const expected = known ?? (await noteCheckValue(db, previous ?? key, now))
  const isOf = (one: Buffer | undefined) => one && expected && isCheckValueOf(one, expected)
  // While the key is rotated, the database may be of either.
  if (isOf(key) || isOf(previous)) return key
  // Another server completed the first start before this one: no secret was sealed with this server's key.
  if (isNew) rmSync(join(dataDir, 'app.key'), { force: true })
  throw anotherKey(dataDir, given)
}

function anotherKey(dataDir: string, given: Buffer | undefined): StartError {
  const which = given ? 'APP_KEY' : `The key in ${join(dataDir, 'app.key')}`
  return new StartError(
    `${which} is not the key that this database was used with, which is the only one that opens its secrets. ` +
      'Use that key, or see "A key that is lost" in docs/operations/keys.md.',
  )
}

/** Undefined: secrets are stored, from before there was a check value, and this key opens none of them. */
async function noteCheckValue(db: Db, key: Buffer, now: Date): Promise<string | undefined> {
  if (!(await opensStoredSecrets(db, key))) return undefined
  await db
    .insertInto('key_check')
    .values({ id: rowId, check_value: checkValueOf(key), created_at: now.toISOString() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return findCheckValue(db)
}

/** That of the key which this database was used with; undefined: none yet. */
export async function findCheckValue(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('key_check')
    .select('check_value')
    .where('id', '=', rowId)
    .executeTakeFirst()
  return row?.check_value
}

/** Shows which key it is, and nothing of the key. */
export const checkValueOf = (key: Buffer) =>
  createHmac('sha256', key).update(purpose).digest('hex').slice(0, 32)

function isCheckValueOf(key: Buffer, expected: string): boolean {
  const [ours, theirs] = [Buffer.from(checkValueOf(key)), Buffer.from(expected)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

async function hasSecrets(db: Db): Promise<boolean> {
  return (await sealedApis(db).limit(1).executeTakeFirst()) !== undefined
}

/** True if one stored secret opens, since single rows may be broken, or if there is none. */
async function opensStoredSecrets(db: Db, key: Buffer): Promise<boolean> {
  const secrets = createSecretBox(key)
  const apis = await sealedApis(db).execute()
  const secretFaults = new Set<ApiFault | null>(['upstream_token', 'credential', 'tls', 'password'])
  return apis.length === 0 || apis.some((api) => !secretFaults.has(faultOf(api, secrets)))
}

const sealedApis = (db: Db) =>
  db
    .selectFrom('api')
    .selectAll()
    .where((where) =>
      where.or([
        where('password_encrypted', 'is not', null),
        where('upstream_token_encrypted', 'is not', null),
      ]),
    )
