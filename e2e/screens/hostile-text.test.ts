import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPage, watchPage } from '../harness/upstreams/hostile-page.ts'
import { hostile, hostileName } from '../harness/upstreams/hostile-words.ts'
import { startOwnJourney } from '../harness/journey.ts'
import { settle, showScreen } from '../harness/open-as.ts'
import { signIn } from '../harness/run-product.ts'

// Text that others wrote, on every screen that shows it: names, answers, log lines, references, refusals.

const others = mkdtempSync(join(tmpdir(), 'gatehouse-hostile-'))
const journey = startOwnJourney({ LOG_DIRS: others })

/** Answers whatever it is asked with text that wants to be a page. */
const upstream = createServer((request, response) => {
  const isRead = request.method === 'GET'
  response.writeHead(isRead ? 200 : 422, {
    'content-type': request.url === '/page' ? 'text/html' : 'application/json',
    'x-note': '<img src=x onerror=__ran=1>',
  })
  const text = hostile('Answer')
  response.end(request.url === '/page' ? text : JSON.stringify({ [text]: text, list: [text] }))
})

const ids: Record<string, number> = {}
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  mkdirSync(join(others, '<img src=x onerror=__ran=1>'))
  writeFileSync(join(others, '<img src=x onerror=__ran=1>', 'javascript:__ran=1.log'), 'a line\n')
  writeFileSync(
    join(others, 'laravel.log'),
    `[2026-11-21 10:00:00] <script>__ran=1</script>.ERROR: ${hostile('Log')}\n#0 ${hostile('Stack')}\n`,
  )
  await seed()
})
afterAll(() => {
  upstream.closeAllConnections()
  upstream.close()
  rmSync(others, { recursive: true, force: true })
})

async function seed(): Promise<void> {
  const call = await signIn(journey.url)
  const create = async (path: string, body: object, statuses = [200, 201]) => {
    const answer = await call('POST', path, body)
    expect(statuses, `${path}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
    return answer.body as { id: number }
  }
  const { port } = upstream.address() as AddressInfo
  const api = await create('/api/apis', {
    name: hostileName('Api'),
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: `http://127.0.0.1:${port}`,
  })
  const endpoint = (method_type: string, path: string, name: string, more = {}) =>
    create('/api/endpoint', {
      api_id: api.id,
      method_type,
      status: 'active',
      path,
      authentication: 0,
      summery: hostileName(`Summary ${name}`),
      description: hostileName(`Endpoint ${name}`),
      ...more,
    })
  const read = await endpoint('get', '/page', 'read', {
    enable_custom_output: 1,
    custom_output: hostile('Output'),
  })
  const post = await endpoint('post', '/invoices', 'post', {
    run_settings: { reference_path: 'reference' },
  })
  const role = await create('/api/role', { name: hostileName('Role'), permissions: ['api.view'] })
  const password = 'a long enough pass phrase'
  const user = await create('/api/user', {
    name: hostileName('User'),
    email: 'hostile@example.com',
    username: 'hostile',
    password,
    password_confirmation: password,
    roles: [role.id],
  })
  await create('/admin/token/store', {
    user: user.id,
    name: hostileName('Token'),
    expires_in_days: 9,
  })
  await call('PUT', `/api/api-permission/${role.id}/update`, { endpoints: [read.id, post.id] })
  const body = JSON.stringify({ reference: hostile('Reference'), note: hostile('Body') })
  // The upstream refuses it: that too is a run, with an answer to show.
  const sent = await call('POST', '/api/tax', { endpoint_1: { end_point: post.id, body } })
  expect(sent.body).toMatchObject({ run: { state: 'rejected' } })
  Object.assign(ids, { api: api.id, read: read.id, post: post.id, role: role.id, user: user.id })
}

/** Each screen, and what it has to show of the words. */
const screens: [path: () => string, shows: string[]][] = [
  [() => '/dashboard', []],
  [() => '/dashboard/admin/apis', ['Api']],
  [() => `/dashboard/admin/api/edit/${ids['api']}`, []],
  [() => `/dashboard/admin/apis/${ids['api']}/endpoints`, ['Api', 'Endpoint read']],
  [() => `/dashboard/admin/apis/${ids['api']}/access`, ['Endpoint read', 'Role']],
  [() => `/dashboard/admin/apis/${ids['api']}/access?by=roles`, ['Role']],
  [() => `/dashboard/admin/apis/${ids['api']}/access?by=tokens`, ['Token', 'User']],
  [() => `/dashboard/admin/apis/${ids['api']}/history`, ['Api']],
  [() => '/dashboard/admin/endpoints', ['Endpoint read', 'Endpoint post']],
  [() => `/dashboard/admin/endpoint/edit/${ids['read']}`, ['Summary read', 'User', 'Role']],
  [() => `/dashboard/admin/endpoint/edit/${ids['post']}`, ['Summary post']],
  [() => '/dashboard/admin/endpoint/create', []],
  [() => '/dashboard/admin/context', ['Api', 'Summary read']],
  [() => '/dashboard/admin/user', ['User', 'Role']],
  [() => `/dashboard/admin/user/edit/${ids['user']}`, ['User', 'Role']],
  [() => '/dashboard/admin/user/create', []],
  [() => '/dashboard/admin/role', ['Role']],
  [() => `/dashboard/admin/role/edit/${ids['role']}`, ['Role']],
  [() => '/dashboard/admin/api-permission', ['User', 'Role']],
  [() => `/dashboard/admin/api-permission/edit/${ids['role']}`, ['Role', 'Endpoint read']],
  [() => '/dashboard/admin/personal-token', ['Token']],
  [() => '/dashboard/admin/audit', ['Api', 'User', 'Token']],
  [() => '/dashboard/admin/runs', ['Reference']],
  [() => '/dashboard/admin/runs/1', ['Reference', 'Summary post', 'Answer']],
  [() => '/dashboard/admin/documents', ['Reference']],
  [() => '/dashboard/admin/documents/1', ['Reference']],
  [() => '/dashboard/admin/tax', []],
  [() => '/dashboard/admin/tax/credit', []],
  [() => '/dashboard/admin/build-request', []],
  [() => `/dashboard/admin/logs?l=${encodeURIComponent(`${others}/laravel.log`)}`, ['Log']],
  [() => '/dashboard/admin/no-such-screen/<img src=x onerror=__ran=1>', []],
  [() => '/dashboard/admin/apis?search=<img src=x onerror=__ran=1>', []],
]

describe('text of others is text', () => {
  it.each(screens.map(([path, shows]) => ({ screen: String(path).slice(6), path, shows })))(
    'on $screen',
    async ({ path, shows }) => {
      const { page } = journey
      const watch = await watchPage(page)
      // An address with such text is loaded: the server answers it, too.
      if (path().includes('<')) await page.goto(path())
      await showScreen(page, path())
      for (const panel of await page.locator('summary').all()) {
        await panel.click()
        await settle(page)
      }
      for (const word of shows) {
        const asText = new RegExp(String.raw`${word} \\?"><img src=x`)
        await expect.poll(() => page.locator('body').innerText()).toMatch(asText)
      }
      expect(await readPage(page)).toEqual({ ran: null, violations: [], built: [], astray: [] })
      expect(watch.dialogs).toEqual([])
    },
  )

  it('in what opens on a click: an event of the trail, a stack, an answer that was fetched', async () => {
    const { page } = journey
    const watch = await watchPage(page)
    await showScreen(page, '/dashboard/admin/audit?search=Token')
    await page.getByRole('button', { name: /Token/ }).first().click()
    await page.getByRole('dialog').getByText(hostile('Token').slice(0, 20)).first().waitFor()
    expect(await readPage(page)).toEqual({ ran: null, violations: [], built: [], astray: [] })

    await showScreen(page, `/dashboard/admin/logs?l=${encodeURIComponent(`${others}/laravel.log`)}`)
    await page.getByRole('button', { name: 'View Stack' }).first().click()
    await page.getByText('Stack "><img').waitFor()
    expect(await readPage(page)).toEqual({ ran: null, violations: [], built: [], astray: [] })
    expect(watch.dialogs).toEqual([])
  })
})

it('the browser reported no error', () => expect(journey.complaints).toEqual([]))
