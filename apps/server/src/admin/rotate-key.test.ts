import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { createInstallation, runOn } from '../../test/processes/admin-commands.ts'
import { endpointOf, httpApi } from '../../test/servers/build-server.ts'
import { startUpstream } from '../../test/servers/hostile-upstream.ts'
import { serve } from '../../test/servers/serve-installation.ts'
import { createSecretBox } from '../kernel/secret-box.ts'

const isPostgres = process.env['TEST_DATABASE_URL'] !== undefined
const newKey = () => randomBytes(32).toString('base64')

const apiBody = (name: string, api_url: string, token: string) =>
  httpApi({ name, context: `/${name}`, api_url, credential: { kind: 'bearer', token } })

it('the key is rotated while secrets are saved and used, and nothing fails', async () => {
  const upstream = await startUpstream((_request, response) => void response.end('{}'))
  onTestFinished(() => upstream.close())
  const [old, key] = [newKey(), newKey()]
  const { folder, environment, open } = await createInstallation({ key: old })
  const first = await serve(folder, environment)
  const made = await first.send('POST', '/api/apis', apiBody('first', upstream.url, 'token-0'))
  expect(made.status).toBe(201)
  const path = endpointOf(made.body.id, { method_type: 'post', path: '/invoices' })
  const { id } = (await first.send('POST', '/api/endpoint', path)).body
  for (let index = 0; index < 20; index++)
    await first.send('POST', '/api/apis', apiBody(`more-${index}`, upstream.url, `token-${index}`))
  const both = { ...environment, APP_KEY: key, APP_KEY_PREVIOUS: old }
  // A server that has the old key alone would be left without its secrets.
  const early = await runOn(both, ['rotate-key'])
  expect(early.code).toBe(1)
  expect(early.err).toContain('does not seal with the new key')
  await first.stop()

  const second = await serve(folder, both)
  let [isDone, calls, saves] = [false, 0, 0]
  const call = async () => {
    const body = { endpoint_1: { end_point: id, body: `{"number":"INV-${calls++}"}` } }
    expect((await second.send('POST', '/api/tax', body)).status).toBe(200)
  }
  const save = async () => {
    const name = `late-${saves++}`
    const saved = await second.send('POST', '/api/apis', apiBody(name, upstream.url, name))
    expect(saved.status).toBe(201)
  }
  const loads = [call, save].map(async (work) => {
    while (!isDone) await work()
  })
  const gone = await second.send('POST', '/api/apis', apiBody('gone', upstream.url, 'gone'))
  const { id: goneId } = gone.body as { id: number }
  await second.send('POST', '/api/apis/bulk', { action: 'delete', ids: [goneId] })
  const kept = () => open().selectFrom('deletion').select('name').execute()
  expect(await kept()).toEqual([{ name: 'gone' }])
  const rotated = await runOn(both, ['rotate-key'])
  isDone = true
  await Promise.all(loads)
  expect(rotated).toMatchObject({ code: 0, err: '' })
  expect(rotated.out).toMatch(/^2\d secrets were sealed with the new key/)
  expect([calls > 0, saves > 0]).toEqual([true, true])
  expect(await kept()).toEqual([])
  const acts = open().selectFrom('audit_event').select(['actor', 'thing'])
  // Not of the command that was refused.
  expect(await acts.where('action', '=', 'installation.rotate_key').execute()).toEqual([
    { actor: 'command line', thing: 'installation' },
  ])
  await second.stop()

  const box = createSecretBox(Buffer.from(key, 'base64'))
  const apis = await open().selectFrom('api').select(['id', 'upstream_token_encrypted']).execute()
  expect(apis.length).toBe(21 + saves)
  for (const { id: row, upstream_token_encrypted: sealed } of apis)
    expect(box.open(sealed!, { table: 'api', row, field: 'upstream_token_encrypted' })).not.toBe('')
  const sent = upstream.received.filter(({ method }) => method === 'POST')
  expect(sent.every(({ headers }) => headers.authorization === 'Bearer token-0')).toBe(true)

  const third = await serve(folder, { ...environment, APP_KEY: key })
  calls = 1_000_000
  const body = { endpoint_1: { end_point: id, body: '{"number":"last"}' } }
  expect((await third.send('POST', '/api/tax', body)).status).toBe(200)
  await third.stop()
  expect((await runOn(both, ['rotate-key'])).out).toMatch(/^0 secrets/)
  expect((await runOn({ ...both, APP_KEY: newKey() }, ['rotate-key'])).err).toContain(
    'with neither APP_KEY nor APP_KEY_PREVIOUS',
  )
})

it('a rotation that broke off goes on, and a secret that no key opens keeps the old fingerprint', async ({
  skip,
}) => {
  skip(isPostgres, 'which key opens a secret is no matter of the database')
  const [old, key] = [randomBytes(32), randomBytes(32)]
  const { environment, open, folder } = await createInstallation({ key: old.toString('base64') })
  const server = await serve(folder, environment)
  for (const name of ['one', 'two'])
    await server.send('POST', '/api/apis', apiBody(name, 'http://127.0.0.1:9', name))
  await server.stop()
  const db = open()
  // This server stops as in a crash, without a word.
  await db.updateTable('node').set({ stopped_at: new Date().toISOString() }).execute()
  const [one, two] = await db.selectFrom('api').selectAll().orderBy('id').execute()
  const field = 'upstream_token_encrypted'
  const placeOf = ({ id: row }: { id: number }) => ({ table: 'api', row, field })
  const put = (row: { id: number }, upstream_token_encrypted: string) =>
    db.updateTable('api').set({ upstream_token_encrypted }).where('id', '=', row.id).execute()
  // As a kill after the first of them leaves it, and with one that is broken.
  await put(one!, createSecretBox(key).seal('one', placeOf(one!)))
  await put(two!, 'v1.broken')
  const both = {
    ...environment,
    APP_KEY: key.toString('base64'),
    APP_KEY_PREVIOUS: old.toString('base64'),
  }
  const before = await db.selectFrom('key_check').selectAll().execute()
  const refused = await runOn(both, ['rotate-key'])
  expect(refused.err).toContain(`Neither key opens api ${two!.id} upstream_token_encrypted`)
  expect(await db.selectFrom('key_check').selectAll().execute()).toEqual(before)
  await put(two!, two!.upstream_token_encrypted!)
  expect((await runOn(both, ['rotate-key'])).out).toMatch(/^1 secrets/)
  expect(await db.selectFrom('key_check').selectAll().execute()).not.toEqual(before)
})
