import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../test/test-database.ts'
import { openAppKey } from './app-key.ts'
import type { Db } from '../db/connect.ts'
import { createSecretBox } from '../kernel/secret-box.ts'

const now = new Date('2026-06-01T08:00:00Z')
let db: Db
let drop: () => Promise<void>
let folder: string
let other: string
beforeEach(async () => {
  ;({ db, drop } = await createTestDatabase())
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-key-'))
  other = mkdtempSync(join(tmpdir(), 'gatehouse-key-'))
})
afterEach(async () => {
  await drop()
  for (const each of [folder, other]) rmSync(each, { recursive: true, force: true })
})

/** A row as a release without check values left it. */
async function storeSecret(key: Buffer): Promise<void> {
  const { id } = await db
    .insertInto('api')
    .values({
      name: 'Posts',
      name_key: 'posts',
      context: 'posts',
      api_protocol: 'http',
      authentication: 0,
      gateway_status: 'active',
      api_access: 'internally',
      api_url: 'http://127.0.0.1:9',
      version: 0,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const place = { table: 'api', row: id, field: 'upstream_token_encrypted' }
  const upstream_token_encrypted = createSecretBox(key).seal('secret', place)
  await db.updateTable('api').set({ upstream_token_encrypted }).execute()
}

it('the key of the first start is the key from then on, and is not in the database', async () => {
  const key = await openAppKey(db, folder, undefined, now)
  expect(await openAppKey(db, folder, undefined, now)).toEqual(key)
  expect(await openAppKey(db, other, key, now)).toEqual(key)
  const { check_value } = await db.selectFrom('key_check').selectAll().executeTakeFirstOrThrow()
  expect(check_value).toMatch(/^[0-9a-f]{32}$/)
  expect(key.toString('hex')).not.toContain(check_value)
})

describe('is refused', () => {
  it('with another key, by environment or by file', async () => {
    await openAppKey(db, folder, undefined, now)
    await expect(openAppKey(db, other, randomBytes(32), now)).rejects.toThrow(
      /^APP_KEY is not the key that this database was used with/,
    )
    await drop()
    ;({ db, drop } = await createTestDatabase())
    await openAppKey(db, other, undefined, now)
    await expect(openAppKey(db, folder, undefined, now)).rejects.toThrow(/^The key in .*app\.key/)
  })

  it('on a new node without a key, which makes none', async () => {
    await openAppKey(db, folder, undefined, now)
    await expect(openAppKey(db, other, undefined, now)).rejects.toThrow(/key is missing/)
    expect(existsSync(join(other, 'app.key'))).toBe(false)
  })

  it('for all but one of two nodes that make a key at once', async () => {
    const starts = await Promise.allSettled(
      [folder, other].map((each) => openAppKey(db, each, undefined, now)),
    )
    expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const kept = [folder, other].filter((each) => existsSync(join(each, 'app.key')))
    expect(kept).toHaveLength(1)
  })
})

describe('on a database from before there was a check value', () => {
  it('a key that opens a secret is the key', async () => {
    const key = randomBytes(32)
    await storeSecret(key)
    expect(await openAppKey(db, folder, key, now)).toEqual(key)
    await expect(openAppKey(db, folder, randomBytes(32), now)).rejects.toThrow(/^APP_KEY is not/)
  })

  it('a key that opens none is refused, and leaves no check value', async () => {
    const key = randomBytes(32)
    await storeSecret(key)
    await expect(openAppKey(db, folder, randomBytes(32), now)).rejects.toThrow(/^APP_KEY is not/)
    expect(await openAppKey(db, folder, key, now)).toEqual(key)
  })
})
