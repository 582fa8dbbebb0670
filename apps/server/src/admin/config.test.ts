// Databases: SQLite.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../test/servers/build-server.ts'
import { configure } from '../../test/rows/full-configuration.ts'
import { runAdmin } from './run-admin.ts'

let server: TestServer
let folder: string
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
  server = await buildServer()
  await configure(server)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

async function config(args: string[], environment: Record<string, string> = {}, input = '') {
  const out: string[] = []
  const err: string[] = []
  const code = await runAdmin(['config', ...args], {
    environment: {
      GATEHOUSE_URL: url,
      GATEHOUSE_EMAIL: server.admin.email,
      GATEHOUSE_PASSWORD: testPassword,
      ...environment,
    },
    say: (line) => void out.push(line),
    note: (line) => void err.push(line),
    readInput: async () => input,
    askSecret: undefined,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

it('exports, compares and applies; its session is over afterwards', async () => {
  const open = async () =>
    (await server.db.selectFrom('session').select('id').where('ended_at', 'is', null).execute())
      .length
  const before = await open()
  const exported = await config(['export'])
  expect(exported.code, exported.err).toBe(0)
  const file = join(folder, 'gatehouse.yaml')
  writeFileSync(file, exported.out)
  const same = await config(['diff', file])
  expect(same.code).toBe(0)
  expect(same.err).toContain('There is nothing to do.')

  writeFileSync(file, exported.out.replace('connect_timeout_ms: 1500', 'connect_timeout_ms: 2500'))
  const changed = await config(['diff', file])
  expect(changed.code).toBe(3)
  expect(changed.out).toBe('change apis: ERP\n         connect_timeout_ms: 1500 → 2500')
  const applied = await config(['apply', file])
  expect(applied).toMatchObject({ code: 0, out: 'done    change apis: ERP' })
  expect(await server.stores.apis.findByName('ERP')).toMatchObject({ connect_timeout_ms: 2500 })
  expect(await open()).toBe(before)
})

it('exports to a file that is named from the folder where npm was called', async () => {
  const there = { INIT_CWD: folder }
  const exported = await config(['export', 'named.yaml'], there)
  expect(exported).toEqual({ code: 0, out: '', err: 'named.yaml has the configuration.' })
  expect(readdirSync(folder)).toContain('named.yaml')
  expect(readdirSync(folder)).not.toContain('named.yaml.part')
  expect(readFileSync(join(folder, 'named.yaml'), 'utf8')).toBe(
    `${(await config(['export'])).out}\n`,
  )
  expect(await config(['diff', 'named.yaml'], there)).toMatchObject({ code: 0 })
  const nowhere = await config(['export', 'no/such/folder.yaml'], there)
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('can’t be written') })
})

it('leaves out what npm printed before an export, and goes on to name lines as they are', async () => {
  const banner = '\n> gatehouse@0.1.0 config\n> node scripts/run.mjs config export\n\n'
  const exported = await config(['export'])
  const same = await config(['diff'], {}, `${banner}${exported.out}\n`)
  expect(same.code, same.err).toBe(0)
  expect(same.err).toContain('lines that npm printed')
  const wrong = await config(['diff'], {}, `${banner}gatehouse: 1\napi: {}\n`)
  expect(wrong.err).toContain('Line 6, column 1 (/api): There is no such section.')
})

it('takes secrets from its environment and from files, and sends no others', async () => {
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, 'planted-in-a-file\n')
  const document = (reference: string) =>
    `gatehouse: 1\napis: {ERP: {credential: {kind: bearer, token: "\${${reference}}"}}}\n`
  const missing = await config(['apply'], {}, document('env:NO_SUCH_TOKEN'))
  expect(missing.code).toBe(1)
  expect(missing.out).toContain('NO_SUCH_TOKEN')
  const tokenOf = async () => {
    const api = (await server.stores.apis.findByName('ERP'))!
    const place = { table: 'api', row: api.id, field: 'upstream_token_encrypted' }
    return server.secrets.open(api.upstream_token_encrypted!, place)
  }
  const given = { ERP_TOKEN: 'planted-in-the-environment' }
  expect((await config(['apply'], given, document('env:ERP_TOKEN'))).code).toBe(0)
  expect(await tokenOf()).toBe('planted-in-the-environment')
  const byFile = await config(['apply'], {}, document(`file:${secretFile}`))
  expect(byFile.code, byFile.out).toBe(0)
  expect(await tokenOf()).toBe('planted-in-a-file')
  expect(byFile.out + byFile.err).not.toContain('planted')
})

it('says where a document is wrong, and what is missing', async () => {
  const wrong = await config(['diff'], {}, 'gatehouse: 1\napi: {}\n')
  expect(wrong.code).toBe(1)
  expect(wrong.err).toContain('Line 2, column 1 (/api): There is no such section.')
  expect(await config(['diff', join(folder, 'gone.yaml')])).toMatchObject({ code: 1 })
  expect(await config(['merge'])).toMatchObject({ code: 2 })
  expect(await config(['export'], { GATEHOUSE_EMAIL: '' })).toMatchObject({ code: 2 })
  expect(await config(['export'], { GATEHOUSE_PASSWORD: 'wrong password' })).toMatchObject({
    code: 1,
    err: 'Invalid email or password',
  })
  const away = await config(['export'], { GATEHOUSE_URL: 'http://127.0.0.1:9' })
  expect(away).toMatchObject({ code: 1, err: expect.stringContaining('could not be reached') })
})
