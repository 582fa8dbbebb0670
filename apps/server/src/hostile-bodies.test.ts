// Databases: SQLite.

import { expect, it } from 'vitest'
import {
  hostileJson,
  hostileUploads,
  limitOf,
  routesWithBody,
  withGiantFields,
} from '../test/hostile/hostile-bodies.ts'
import { startMeteredServer, uploadRoute, type Hostile } from '../test/servers/metered-server.ts'

// Each route of the table reads bodies of the size that it takes, in a process of its own, whose turns are
// measured by the CPU time of its thread. hostile-bodies.nightly.ts sends every body to every route.

/** What has taken longest of all that was tried. One fills the first text of a route, in turn. */
const worstInFields = ['escapes', 'marks in the wrong order']

function* bodiesOf(): Generator<Hostile> {
  const seen = new Set<string>()
  for (const [at, route] of routesWithBody.entries()) {
    const limit = limitOf(route)
    // The bodies alone are read alike wherever the limit and what is kept of the text are the same.
    const kind = `${limit} ${route.hasRawBody} ${route.hasExactBody}`
    if (!seen.has(kind))
      for (const [name, body] of Object.entries(hostileJson))
        yield { name, route, body: body(limit) }
    seen.add(kind)
    const turn = worstInFields.slice(at % worstInFields.length)
    const worst = withGiantFields(route, limit, turn).take(1)
    for (const [name, body] of worst) yield { name, route, body }
  }
  for (const [type, name, body] of hostileUploads)
    yield { name: `${type} of ${name}`, route: uploadRoute, body, type }
}

it('no route is held up by a body as large as it takes, and memory stays bounded', async () => {
  const server = await startMeteredServer()
  expect(await server.unfitOf(bodiesOf())).toEqual([])
  expect(await server.hasGrownTooMuch()).toBe(false)
})
