// Databases: SQLite.

import { errorTable, gatewayErrorTable, routes } from '@gatehouse/contract'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import Fastify from 'fastify'
import { buildServer, type TestServer } from '../../test/servers/build-server.ts'
import { openApiProblems } from '../../test/openapi/openapi-problems.ts'
import { installGuard } from './guard.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())

const pathOf = (path: string) => path.replace(/:\w+/g, '999999')
const guarded = routes.filter((route) => route.access !== 'public')
const permitted = routes.filter((route) => route.access !== 'public' && route.access !== 'session')

describe('every route of the contract', () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is mounted: %s',
    (_name, route) => {
      expect(server.app.hasRoute({ method: route.method, url: route.path })).toBe(true)
    },
  )

  it.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'answers 401 signed out: %s',
    async (_name, route) => {
      const answer = await server.send(route.method, pathOf(route.path))
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ message: 'Unauthenticated.' })
    },
  )

  it.each(permitted.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'answers 403 without its permission, and not with it: %s',
    async (_name, route) => {
      const other = route.access === 'dashboard.view' ? 'image.generate' : 'dashboard.view'
      const without = await server.buildUser({ permissions: [other] })
      const refused = await server.send(route.method, pathOf(route.path), { token: without.token })
      expect(refused.status).toBe(403)
      expect(refused.body).toMatchObject({ code: 'permission.denied' })
      const holder = await server.buildUser({ permissions: [route.access] })
      expect(
        (await server.send(route.method, pathOf(route.path), { token: holder.token })).status,
      ).not.toBe(403)
    },
  )
})

it('a route that does not say who may call it stops the start', () => {
  const app = Fastify()
  const noCaller = async () => undefined
  installGuard(app, {
    bySession: noCaller,
    byPersonalToken: noCaller,
    byAdminToken: noCaller,
    byDownloadCookie: noCaller,
    again: async () => {},
  })
  expect(() => app.get('/unguarded', () => 'x')).toThrow('GET /unguarded declares no access.')
  const config = { access: 'session' as const, hasDownloadCookie: true }
  expect(() => app.get('/elsewhere', { config }, () => 'x')).toThrow('opens nothing else')
})

describe('the OpenAPI document', () => {
  it('is 3.1 and names every call, for those who are signed in', async () => {
    expect((await server.send('GET', '/api/openapi.json')).status).toBe(401)
    const answer = await server.send('GET', '/api/openapi.json', { token: server.admin.token })
    const document = answer.body as {
      openapi: string
      paths: Record<string, Record<string, unknown>>
    }
    expect(document.openapi).toBe('3.1.0')
    for (const route of routes) {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      expect(document.paths[path]?.[route.method.toLowerCase()], path).toBeDefined()
    }
  })

  it('passes two validators without a warning, and names each call as the contract does', async () => {
    const { body } = await server.send('GET', '/api/openapi.json', { token: server.admin.token })
    expect(await openApiProblems(body as object)).toEqual([])
    const { paths } = body as { paths: Record<string, Record<string, { operationId: string }>> }
    expect(paths['/api/apis']?.['post']?.operationId).toBe('createApi')
  })

  it('has a reference page that needs no inline script', async () => {
    const page = await server.send('GET', '/api/docs')
    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)/)
    const viewer = await server.send('GET', '/api/docs/viewer.js')
    expect(viewer.text).toContain('createApiReference')
  })
})

it('every error code has a section with its status, cause and cure, and no other has', () => {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  const sections = [...page.matchAll(/^### ([\w.]+)\n\n\*\*(\d+)\*\* \S.*\n\n_Cure_: \S.*$/gm)]
  const table = { ...errorTable, ...gatewayErrorTable }
  const known = Object.entries(table).map(([code, { status }]) => `${code} ${status}`)
  const explained = sections.map(([, code, status]) => `${code} ${status}`)
  expect(explained.toSorted()).toEqual(known.toSorted())
  // Headings become anchors without their dots.
  const anchors = Object.keys(table).map((code) => code.replaceAll('.', ''))
  expect(new Set(anchors).size).toBe(anchors.length)
})
