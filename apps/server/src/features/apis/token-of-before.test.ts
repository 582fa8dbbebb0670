import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../test/test-database.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'
import { openCredential, shownCredentialOf } from './api-credentials.ts'

it('an upstream token that was stored before there were credentials is one', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const box = createSecretBox(randomBytes(32))
  const now = '2026-06-01T08:00:00Z'
  const row = {
    name_key: 'till',
    context: 'till',
    api_protocol: 'http',
    authentication: 0,
    gateway_status: 'active',
    api_access: 'internally',
    version: 1,
    created_at: now,
    updated_at: now,
  } as const
  const place = { table: 'api', row: 1, field: 'upstream_token_encrypted' }
  const sealed = box.seal('token-of-before', place)
  await db
    .insertInto('api')
    .values([
      { ...row, name: 'Till', upstream_token_encrypted: sealed },
      { ...row, name: 'Bare', name_key: 'bare', context: 'bare' },
    ])
    .execute()
  const [till, bare] = await db.selectFrom('api').selectAll().orderBy('id').execute()
  expect(openCredential(box, till!, 'live')).toEqual({
    kind: 'bearer',
    token: 'token-of-before',
    scheme: 'Bearer',
    refused_when: null,
  })
  expect(shownCredentialOf(till!, 'live')).toMatchObject({ kind: 'bearer', has_token: true })
  expect(openCredential(box, till!, 'test')).toBeUndefined()
  expect(shownCredentialOf(bare!, 'live')).toBeNull()
})
