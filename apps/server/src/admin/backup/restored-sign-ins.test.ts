import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@gatehouse/contract'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createInstallation, type Installation } from '../../../test/processes/admin-commands.ts'
import { authenticatorCode } from '../../../test/rows/authenticator-code.ts'
import {
  buildServer,
  testPassword,
  type Answer,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { mailSettings, publicUrl, startMailServer } from '../../../test/servers/mail-server.ts'
import { makeAdminToken } from '../../../test/rows/make-admin-token.ts'
import { openIdProvider, type Claims } from '../../../test/servers/openid-provider.ts'
import { SoftwareAuthenticator } from '../../../test/rows/software-authenticator.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'

const key = Buffer.alloc(32, 9)
const origin = { host: 'gatehouse.example.com', origin: publicUrl }
const proof = { current_password: testPassword }

type Mail = Awaited<ReturnType<typeof startMailServer>>
type Provider = Awaited<ReturnType<typeof openIdProvider>>

const serverOn = (installation: Installation, mail: Mail) => {
  const database = { db: installation.open(), drop: async () => {} }
  const beside = { secrets: createSecretBox(key), instanceId: 'one' }
  return buildServer(mailSettings(mail.port), undefined, database, beside)
}

function done(answer: Answer): unknown {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

async function signOn(server: TestServer, provider: Provider, claims: object) {
  const begun = await server.send('POST', '/api/sign-on/begin', { headers: origin })
  const { url } = done(begun) as { url: string }
  const cookie = /gatehouse_sign_on=[^;]*/.exec(String(begun.headers['set-cookie']))![0]
  const body = { answer: `?${provider.authorize(url, claims as Claims)}` }
  const headers = { ...origin, cookie }
  return server.send('POST', '/api/sign-on/finish', { headers, body })
}

const ann = { sub: 'ann-1', email: 'ann@example.com', email_verified: true, name: 'Ann Lee' }
const settingsOf = (provider: Provider) => ({
  name: 'Company login',
  is_active: true,
  issuer: provider.issuer,
  client_id: 'gatehouse',
  client_secret: 'a secret of the client',
  scopes: 'openid email profile',
  role_claim: 'groups',
  roles: [],
  creates_users: false,
  signs_out: false,
})

/** Every way to sign in. Returns what their owners keep. */
async function setUp(server: TestServer, mail: Mail, provider: Provider) {
  const { token } = server.admin
  const made = await server.buildUser({ role: 'Auditor' })
  const asPerson = async (path: string, body: object) =>
    done(await server.send('POST', path, { token: made.token, body }))
  const device = new SoftwareAuthenticator(publicUrl)
  const options = await asPerson('/api/passkeys/begin', { ...proof, name: 'Phone' })
  await asPerson('/api/passkeys', { credential: device.create(options as PasskeyCreationOptions) })
  const { secret } = (await asPerson('/api/second-factor', proof)) as { secret: string }
  const code = authenticatorCode(secret, server.time.now)
  const confirmed = await asPerson('/api/second-factor/confirm', { code })
  const { recovery_codes } = confirmed as { recovery_codes: string[] }
  await server.buildUser({ email: ann.email, role: 'Auditor' })
  done(await server.send('PUT', '/api/sign-on', { token, body: settingsOf(provider) }))
  done(await signOn(server, provider, ann))
  const program = await makeAdminToken(server, token, 'user.view')
  const before = mail.mails.length
  const invited = {
    name: 'Ines',
    email: 'ines@example.com',
    username: 'ines',
    roles: ['Auditor'],
    sends_invitation: true,
  }
  done(await server.send('POST', '/api/user', { token, body: invited }))
  await expect.poll(() => mail.mails.some(({ to }) => to[0] === invited.email)).toBe(true)
  const at = mail.mails.findIndex(({ to }) => to[0] === invited.email)
  expect(at).toBeGreaterThanOrEqual(before)
  const invitation = (await mail.linkOf(at + 1)).split('#')[1] ?? ''
  return { email: made.email, device, secret, recovery: recovery_codes[0]!, program, invitation }
}

it.each(['backup and restore', 'db-copy'])(
  'every way to sign in works as before after %s',
  async (way) => {
    const mail = await startMailServer()
    const original = await createInstallation({ key: key.toString('base64') })
    const first = await serverOn(original, mail)
    const provider = await openIdProvider(() => first.time.now)
    onTestFinished(async () => {
      provider.close()
      await mail.close()
    })
    const kept = await setUp(first, mail, provider)
    await first.close()

    const copy = await createInstallation({ isEmpty: true, key: key.toString('base64') })
    if (way === 'db-copy') {
      const placeOf = ({ folder, environment }: Installation) =>
        environment['DATABASE_URL'] || folder
      const copied = await original.admin(['db-copy', placeOf(original), placeOf(copy)])
      expect(copied.code, copied.err).toBe(0)
    } else {
      const file = join(original.folder, 'one.backup')
      expect((await original.admin(['backup', file])).code).toBe(0)
      expect((await copy.admin(['restore', file])).code).toBe(0)
    }

    const server = await serverOn(copy, mail)
    onTestFinished(() => server.close())
    const { email, device, secret, recovery, program, invitation } = kept
    server.time.now = new Date(server.time.now.getTime() + 60_000)
    const begun = done(
      await server.send('POST', '/api/login/passkey/begin', { headers: origin }),
    ) as PasskeyRequestOptions
    const credential = device.get(begun)
    done(await server.send('POST', '/api/login/passkey', { headers: origin, body: { credential } }))
    for (const code of [authenticatorCode(secret, server.time.now), recovery]) {
      const body = { email, password: testPassword, code }
      done(await server.send('POST', '/api/login', { body }))
    }
    const { user } = done(
      await signOn(server, provider, { ...ann, email: 'ann.moved@example.com' }),
    ) as { user: { email: string } }
    expect(user.email).toBe(ann.email)
    done(await server.send('GET', '/api/user', { token: program }))
    const chosen = 'a sentence of my own 7'
    const body = { token: invitation, password: chosen, password_confirmation: chosen }
    done(await server.send('POST', '/api/password-link/password', { body }))
    done(
      await server.send('POST', '/api/login', {
        body: { email: 'ines@example.com', password: chosen },
      }),
    )
  },
)
