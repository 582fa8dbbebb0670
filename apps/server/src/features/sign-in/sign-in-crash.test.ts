import { runTokenAuthority } from '@gatehouse/upstream/token-authority'
import { expect, it } from 'vitest'
import { killWhileRotating } from '../../../test/processes/kill-while-rotating.ts'
import {
  clientCredentials,
  createSignInServer,
  insertApi,
  newKey,
} from '../../../test/servers/sign-in-server.ts'
import { createTestDatabase } from '../../../test/test-database.ts'

it('a server that is killed while it rotates a refresh token works afterwards, or says that it was lost', async () => {
  const { worked, refused, silent } = await killWhileRotating(2)
  expect(silent).toEqual([])
  expect(worked + refused).toBe(2)
})

it('10,000 calls of two servers over ten lives of a token sign in once per life', async () => {
  const authority = await runTokenAuthority({ expiresIn: 20 })
  const { db, drop } = await createTestDatabase()
  const place = { apiId: await insertApi(db), which: 'live' } as const
  const shared = { credential: clientCredentials(authority.tokenUrl), key: newKey() }
  let nowMs = Date.now()
  const servers = ['one', 'other'].map((owner) =>
    createSignInServer(db, shared, { owner, now: () => new Date(nowMs) }),
  )
  const versions = new Set<number>()
  for (let life = 1; life <= 10; life++) {
    const calls = Array.from({ length: 1_000 }, async (_, at) => {
      const { version, expiresAt } = await servers[at % 2]!.service.token(place)
      expect(expiresAt.getTime()).toBeGreaterThan(nowMs)
      versions.add(version)
    })
    await Promise.all(calls)
    nowMs += 20_001
  }
  expect(await authority.counts()).toMatchObject({ logins: 10, sameTimeMax: 1 })
  expect(versions.size).toBe(10)
  for (const server of servers) await server.close()
  await drop()
  await authority.stop()
})
