import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../test/servers/build-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
let server: TestServer
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Dashboard</title>')
  writeFileSync(join(folder, 'icon.svg'), '<svg/>')
  writeFileSync(join(folder, 'assets', 'index-abc.js'), 'export {}')
  writeFileSync(join(folder, 'assets', 'index-abc.js.br'), brotliCompressSync('export {}'))
  server = await buildServer({ DASHBOARD_FOLDER: folder })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const page = 'text/html,application/xhtml+xml,*/*;q=0.8'

describe('an asset', () => {
  it('is kept for ever where it is there', async () => {
    const answer = await server.send('GET', '/assets/index-abc.js')
    expect([answer.status, answer.text]).toEqual([200, 'export {}'])
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('is sent as the build has packed it, to browsers that can unpack it', async () => {
    const headers = { 'accept-encoding': 'gzip, deflate, br' }
    const answer = await server.send('GET', '/assets/index-abc.js', { headers })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers['content-type']).toMatch(/javascript/)
    expect(answer.headers['vary']).toContain('accept-encoding')
    expect(answer.headers['content-length']).toBe(String(brotliCompressSync('export {}').length))
  })

  it('carries the headers that protect a file, and none that are about pages', async () => {
    const { headers } = await server.send('GET', '/assets/index-abc.js')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['content-security-policy']).toBeUndefined()
    expect(headers['permissions-policy']).toBeUndefined()
  })

  it.each([
    ['/assets/index-gone.js', '*/*'],
    ['/assets/index-gone.css', 'text/css,*/*;q=0.1'],
    ['/assets/index-gone.js', page],
    ['/assets/', '*/*'],
    ['/assets', page],
    ['/assets/nothing/here.js?v=1', '*/*'],
  ])('that is not there is a 404 and nothing else: %s for %s', async (path, accept) => {
    server.logLines.length = 0
    const answer = await server.send('GET', path, { headers: { accept } })
    expect(answer).toMatchObject({ status: 404, body: { code: 'route.not_found' } })
    expect(answer.headers['cache-control']).toBe('no-store')
    const levels = server.logLines.map((line) => (JSON.parse(line) as { level: number }).level)
    expect(levels.filter((level) => level > 30)).toEqual([])
  })
})

it.each(['/', '/dashboard/admin/apis', '/api/login/react'])('%s is the page', async (path) => {
  const answer = await server.send('GET', path, { headers: { accept: page } })
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Dashboard')])
  expect(answer.headers['cache-control']).toBe('no-cache')
})
