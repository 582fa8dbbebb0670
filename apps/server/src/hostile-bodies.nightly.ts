import { expect, it } from 'vitest'
import {
  hostileJson,
  limitOf,
  routesWithBody,
  sendBody,
  withGiantFields,
} from '../test/hostile/hostile-bodies.ts'
import { startMeteredServer, type Hostile } from '../test/servers/metered-server.ts'

// The long form of hostile-bodies.test.ts.

function* bodiesOf(): Generator<Hostile> {
  for (const route of routesWithBody) {
    const limit = limitOf(route)
    for (const [name, body] of Object.entries(hostileJson)) yield { name, route, body: body(limit) }
    for (const [name, body] of withGiantFields(route, limit)) yield { name, route, body }
  }
}

it('no route is held up by any body as large as it takes', async () => {
  const server = await startMeteredServer()
  expect(await server.unfitOf(bodiesOf())).toEqual([])
  expect(await server.hasGrownTooMuch()).toBe(false)
})

it('many at once get their answers one after the other, and memory stays bounded', async () => {
  const server = await startMeteredServer()
  const route = routesWithBody.find(({ path }) => path === '/api/prepare-data')!
  for (const [name, body] of Object.entries(hostileJson)) {
    const sent = body(limitOf(route))
    const statuses = await Promise.all(
      Array.from({ length: 24 }, () => sendBody(route, sent, server.sending)),
    )
    expect(Math.max(...statuses), name).toBeLessThan(500)
  }
  expect(await server.hasGrownTooMuch()).toBe(false)
})
