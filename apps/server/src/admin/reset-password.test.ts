// Databases: SQLite.

import { expect, it, onTestFinished } from 'vitest'
import { createInstallation } from '../../test/processes/admin-commands.ts'
import { runServerProcess } from '../../test/servers/run-server-process.ts'

const email = 'admin@example.com'
const first = 'correct horse battery'

it('the last Super Admin gets a new password while the server runs, and no session goes on', async () => {
  const { folder, environment, admin, open } = await createInstallation()
  const server = await runServerProcess({
    dataDir: folder,
    environment: { ...environment, ADMIN_PASSWORD: first },
  })
  onTestFinished(() => void server.child.kill('SIGKILL'))
  const signIn = (password: string) =>
    fetch(`${server.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
  const { token } = (await (await signIn(first)).json()) as { token: string }
  const me = () =>
    fetch(`${server.url}/api/sessions`, { headers: { authorization: `Bearer ${token}` } })
  expect((await me()).status).not.toBe(401)

  const { code, out } = await admin(['reset-password', email.toUpperCase()])
  expect(code).toBe(0)
  expect(out).toContain('Administrator has a new password; 1 session ended.')
  const made = /Password: (\S+)/.exec(out)?.[1] ?? ''
  expect((await me()).status).toBe(401)
  expect((await signIn(first)).status).not.toBe(200)
  expect((await signIn(made)).status).toBe(200)

  const own = 'a sentence of my own 7'
  const chosen = await admin(['reset-password', email, '--stdin'], `${own}\n`)
  expect(chosen).toMatchObject({ code: 0, err: '' })
  expect(chosen.out).not.toContain(own)
  expect((await signIn(own)).status).toBe(200)

  // Without --stdin: at a terminal it asks, elsewhere it reads the input.
  const third = 'another sentence of mine 8'
  expect(await admin(['reset-password', email], `${third}\n`)).toMatchObject({ code: 0, err: '' })
  expect((await signIn(third)).status).toBe(200)
  const unequal = await admin(['reset-password', email], '', [own, third])
  expect(unequal).toMatchObject({ code: 1, err: expect.stringContaining('two different') })
  expect((await signIn(third)).status).toBe(200)
  const typed = await admin(['reset-password', email], '', [own, own])
  expect(typed).toMatchObject({ code: 0, err: '' })
  expect(typed.out).not.toContain('Password:')
  expect((await signIn(own)).status).toBe(200)

  const events = await open()
    .selectFrom('audit_event')
    .select(['actor', 'actor_id', 'thing_name', 'before', 'after'])
    .where('action', '=', 'user.password')
    .execute()
  const event = { actor: 'command line', actor_id: null, before: null, after: null }
  expect(events).toEqual(
    Array.from({ length: 4 }, () => ({ ...event, thing_name: 'Administrator' })),
  )
})

it('removes the second factor where told to, and says so', async () => {
  const { admin, open } = await createInstallation()
  const { id } = await open()
    .insertInto('user')
    .values({
      name: 'Ann',
      email,
      email_key: email,
      username: 'ann',
      username_key: 'ann',
      password_hash: 'old',
      created_at: '',
      updated_at: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const factor = { user_id: id, secret_encrypted: 'sealed', created_at: '', confirmed_at: '' }
  await open().insertInto('second_factor').values(factor).execute()
  await open().insertInto('recovery_code').values({ user_id: id, code_hash: 'a' }).execute()
  const token = {
    user_id: id,
    name: 'CI',
    token_hash: 'a',
    ending: 'aaaa',
    permissions: 'api.view',
  }
  const times = { created_at: '', expires_at: '9999' }
  await open()
    .insertInto('admin_token')
    .values({ ...token, ...times })
    .execute()
  const link = { issuer: 'https://login.example.com', user_id: id, created_at: '' }
  await open()
    .insertInto('user_identity')
    .values([
      { ...link, subject: 'made', is_managed: 1 },
      { ...link, subject: 'linked', is_managed: 0 },
    ])
    .execute()
  await open()
    .insertInto('passkey')
    .values({
      user_id: id,
      name: 'Phone',
      credential_id: 'a',
      public_key: 'a',
      counter: 0,
      transports: '',
      host: 'localhost',
      user_handle: 'a',
      is_synced: 0,
      created_at: '',
    })
    .execute()
  const factors = () => open().selectFrom('second_factor').selectAll().execute()

  const kept = await admin(['reset-password', email, '--generate'])
  expect(kept.out).not.toContain('second factor')
  expect(kept.out).toContain('1 token for programs revoked.')
  expect(kept.out).toContain('1 passkey removed.')
  expect(kept.out).toContain('2 links to a sign-in provider removed.')
  expect(await open().selectFrom('user_identity').selectAll().execute()).toEqual([])
  expect(await factors()).toHaveLength(1)
  const removed = await admin(['reset-password', email, '--generate', '--remove-second-factor'])
  expect(removed.out).not.toMatch(/token|link|passkey/)
  expect(removed).toMatchObject({
    code: 0,
    out: expect.stringContaining('second factor was removed'),
  })
  expect(await factors()).toEqual([])
  expect(await open().selectFrom('recovery_code').selectAll().execute()).toEqual([])
  const events = await open().selectFrom('audit_event').select('action').orderBy('id').execute()
  expect(events.map(({ action }) => action)).toEqual([
    'user.password',
    'user.sign_on_unlinked',
    'user.passkeys_reset',
    'user.password',
    'user.second_factor_reset',
  ])
})

it('refuses an unknown user, the gateway client, and passwords that the dashboard refuses', async () => {
  const { admin, open } = await createInstallation()
  await open()
    .insertInto('user')
    .values({
      name: 'Ann',
      email,
      email_key: email,
      username: 'ann',
      username_key: 'ann',
      password_hash: 'kept',
      created_at: '',
      updated_at: '',
    })
    .execute()
  expect(await admin(['reset-password', 'nobody@example.com'])).toMatchObject({
    code: 1,
    err: 'No user has the e-mail address nobody@example.com.',
  })
  expect((await admin(['reset-password', 'gateway-client@localhost'])).err).toBe(
    "Gateway client can't sign in.",
  )
  const withInput = (text: string) => admin(['reset-password', email, '--stdin'], text)
  expect((await withInput('')).err).toContain('the input has 0')
  expect((await withInput('password1234')).err).toContain('too easy to guess')
  const { password_hash } = await open()
    .selectFrom('user')
    .select('password_hash')
    .where('email_key', '=', email)
    .executeTakeFirstOrThrow()
  expect(password_hash).toBe('kept')
})
