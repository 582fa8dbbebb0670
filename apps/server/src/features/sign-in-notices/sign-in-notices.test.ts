// Databases: SQLite.

import type { PasskeyCreationOptions } from '@gatehouse/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { authenticatorCode } from '../../../test/rows/authenticator-code.ts'
import { testPassword } from '../../../test/servers/build-server.ts'
import { publicUrl } from '../../../test/servers/mail-server.ts'
import { startMailingServer, type MailingServer } from '../../../test/servers/mailing-server.ts'
import { SoftwareAuthenticator } from '../../../test/rows/software-authenticator.ts'

const proof = { current_password: testPassword }
const chosen = {
  password: 'a sentence of my own 7',
  password_confirmation: 'a sentence of my own 7',
}

let server: MailingServer
let person: Awaited<ReturnType<MailingServer['buildUser']>>
beforeEach(async () => {
  server = await startMailingServer()
  person = await server.buildUser({ role: 'Auditor' })
})
afterEach(() => server.close())

async function ask(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: object = {},
  token = person.token,
) {
  const answer = await server.send(method, path, { token, body, remoteAddress: '192.0.2.9' })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body as Record<string, string>
}
const nextCode = (secret: string) => {
  server.time.now = new Date(server.time.now.getTime() + 30_000)
  return authenticatorCode(secret, server.time.now)
}
async function turnOn(): Promise<string> {
  const { secret = '' } = await ask('POST', '/api/second-factor', proof)
  await ask('POST', '/api/second-factor/confirm', { code: nextCode(secret) })
  return secret
}
async function addPasskey() {
  const options = await ask('POST', '/api/passkeys/begin', { ...proof, name: 'Phone' })
  const device = new SoftwareAuthenticator(publicUrl)
  const credential = device.create(options as unknown as PasskeyCreationOptions)
  const { passkey } = await ask('POST', '/api/passkeys', { credential })
  return (passkey as unknown as { id: number }).id
}
/** The sentences of the notice of this number. */
const noticed = async (number: number) => {
  const text = await server.mail.textOf(number)
  return [...text.matchAll(/^- (.+?)\r?$/gm)].map(([, sentence]) => sentence)
}

it('a passkey that is added or removed is told to its user, with time and address', async () => {
  const at = server.time.now.toISOString().slice(0, 16).replace('T', ' ')
  const id = await addPasskey()
  expect(await noticed(1)).toEqual(['A passkey was added, which signs in without the password.'])
  expect(server.mail.mails).toMatchObject([{ to: [person.email], from: 'gatehouse@example.com' }])
  expect(server.mail.subjects()).toEqual(['[Gatehouse] How you sign in was changed'])
  const text = await server.mail.textOf(1)
  expect(text).toContain(`It was at ${at} UTC, by your user, from 192.0.2.9.`)
  expect(text).toContain(`${publicUrl}/dashboard/`)
  await ask('PUT', `/api/passkeys/${id}`, { name: 'Other' })
  await ask('POST', `/api/passkeys/${id}/remove`, proof)
  expect(await noticed(2)).toEqual(['A passkey was removed.'])
})

it('so is each change of the second factor, and of its recovery codes', async () => {
  const secret = await turnOn()
  expect(await noticed(1)).toEqual(['The second factor was turned on.'])
  const proven = () => ({ ...proof, code: nextCode(secret) })
  await ask('POST', '/api/second-factor/recovery-codes', proven())
  expect(await noticed(2)).toEqual([
    'New recovery codes were made. Earlier ones do not count any more.',
  ])
  await ask('POST', '/api/second-factor/remove', proven())
  expect(await noticed(3)).toEqual(['The second factor was turned off.'])
})

it('so is a second factor that is set up at the login', async () => {
  await server.db.updateTable('role').set({ needs_second_factor: 1 }).execute()
  const login = { email: person.email, password: testPassword }
  const { body } = await server.send('POST', '/api/login', { body: login })
  const { secret } = (body as { second_factor: { secret: string } }).second_factor
  expect(server.mail.mails).toEqual([])
  await ask('POST', '/api/login', { ...login, code: nextCode(secret) })
  expect(await noticed(1)).toEqual(['The second factor was turned on.'])
})

it('what another user does to a sign-in comes in one mail, without their address', async () => {
  const { token } = await server.buildUser({ role: 'Super Admin' })
  await addPasskey()
  await noticed(1)
  const change = { name: 'Ann', email: 'ann.new@example.com', roles: ['Auditor'], ...chosen }
  await ask('PUT', `/api/user/${person.id}`, change, token)
  expect((await noticed(2)).toSorted()).toEqual([
    'All passkeys were removed.',
    'The e-mail address was changed.',
    'The password was changed.',
  ])
  expect(server.mail.mails[1]?.to).toEqual([person.email])
  const text = await server.mail.textOf(2)
  expect(text).toContain('by another user.')
  expect(text).not.toContain('192.0.2.9')
})

it('so is a password of one’s own', async () => {
  await ask('PUT', '/api/password', { ...proof, ...chosen })
  expect(await noticed(1)).toEqual(['The password was changed.'])
})

it('what is refused, or changes nothing of the sign-in, is told to nobody', async () => {
  const wrong = { current_password: 'wrong', ...chosen }
  const { token } = person
  expect((await server.send('PUT', '/api/password', { token, body: wrong })).status).toBe(422)
  const change = { name: 'New name', email: person.email, roles: ['Auditor'] }
  await ask('PUT', `/api/user/${person.id}`, change, server.admin.token)
  await turnOn()
  expect(await noticed(1)).toEqual(['The second factor was turned on.'])
})

it('a mail server that says nothing holds no change up, and the log says what was refused', async () => {
  server.mail.control.refuse = 'Try again later'
  await turnOn()
  await expect
    .poll(() => server.logLines.join(''))
    .toContain('the mail server did not take a notice about a sign-in')
  server.mail.control.refuse = undefined
  server.mail.control.isHanging = true
  await ask('PUT', '/api/password', { ...proof, ...chosen })
})

it('one user gets twenty an hour at most', async () => {
  const { token } = server.admin
  const change = { name: 'Ann', roles: ['Auditor'] }
  for (let n = 1; n <= 22; n++)
    await ask('PUT', `/api/user/${person.id}`, { ...change, email: `ann${n}@example.com` }, token)
  server.time.now = new Date(server.time.now.getTime() + 60 * 60_000)
  await ask('PUT', `/api/user/${person.id}`, { ...change, email: 'last@example.com' }, token)
  await noticed(21)
  const receivers = server.mail.mails.map(({ to }) => to[0])
  expect(receivers).toHaveLength(21)
  expect(receivers).toContain('ann22@example.com')
  expect(receivers).not.toContain('ann20@example.com')
})
