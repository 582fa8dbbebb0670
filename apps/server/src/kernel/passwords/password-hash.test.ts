import { argon2Sync } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashPassword, isKnownPassword, unknownPassword, verifyPassword } from './password-hash.ts'

it('is argon2id with 19,456 KiB, two passes and one lane, as it says and as it is computed', async () => {
  const phc = await hashPassword('correct horse battery')
  const [, name, version, cost, salt = '', tag = ''] = phc.split('$')
  expect([name, version, cost]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1'])
  const nonce = Buffer.from(salt, 'base64')
  expect(nonce).toHaveLength(16)
  const computed = argon2Sync('argon2id', {
    message: 'correct horse battery',
    nonce,
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  })
  expect(Buffer.from(tag, 'base64')).toEqual(computed)
})

it('takes a new salt for each password, and one spelling of its characters', async () => {
  const [one, other] = [
    await hashPassword('caf\u00e9 au lait'),
    await hashPassword('caf\u00e9 au lait'),
  ]
  expect(one).not.toBe(other)
  expect(await verifyPassword('cafe\u0301 au lait', one)).toBe(true)
  expect(await verifyPassword('cafe au lait', one)).toBe(false)
})

it('a hash is verified with what it says that it cost, so that a higher cost locks nobody out', async () => {
  const nonce = Buffer.alloc(16, 7)
  const before = { memory: 7_168, passes: 5, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: 'correct horse battery', nonce, ...before })
  const phc = `$argon2id$v=19$m=7168,t=5,p=1$${nonce.toString('base64')}$${tag.toString('base64')}`
  expect(await verifyPassword('correct horse battery', phc)).toBe(true)
  expect(await verifyPassword('correct horse', phc)).toBe(false)
})

it('nobody knows the password of an account that has none of its own, and each is another', async () => {
  const unknown = unknownPassword()
  expect(isKnownPassword(unknown)).toBe(false)
  expect(await verifyPassword('', unknown)).toBe(false)
  expect(unknownPassword()).not.toBe(unknown)
  expect(isKnownPassword(await hashPassword('correct horse battery'))).toBe(true)
})

it.each([null, undefined])('no password is that of an account without one (%s)', async (phc) => {
  expect(await verifyPassword('', phc)).toBe(false)
  expect(await verifyPassword('correct horse battery', phc)).toBe(false)
})
