import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
let reader: string
beforeAll(async () => {
  server = await buildServer()
  token = (await server.buildUser({ permissions: ['request.view', 'request.send'] })).token
  reader = (await server.buildUser({ permissions: ['request.view'] })).token
})
afterAll(() => server.close())

const row = { from: 'upper(a)', to: 'b', custom_input: '', type: 'string?' }
const create = (body: unknown, as = token) =>
  server.send('POST', '/api/mappings', { token: as, body })
const mappingIn = (answer: { body: unknown }) =>
  (answer.body as { mapping: { id: number; version: number } }).mapping
const actions = async (id: number) =>
  (
    await server.db
      .selectFrom('audit_event')
      .select(['action', 'thing'])
      .where('thing', '=', 'mapping')
      .where('thing_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('a saved mapping', () => {
  it('is saved, listed without its rows, loaded, saved again and deleted, each with an event', async () => {
    const made = await create({ name: ' Invoices ', rows: [{ ...row, source: 'input' }] })
    expect(made.status, made.text).toBe(201)
    const { id } = mappingIn(made)
    expect(mappingIn(made)).toMatchObject({ name: 'Invoices', version: 1, rows_count: 1 })
    const list = await server.send('GET', '/api/mappings?search=invo', { token: reader })
    expect(list.body).toMatchObject([{ total: 1, data: [{ id, name: 'Invoices', version: 1 }] }])
    expect(list.text).not.toContain('upper(a)')
    const shown = await server.send('GET', `/api/mappings/${id}`, { token: reader })
    expect(mappingIn(shown)).toMatchObject({ rows: [{ ...row, source: 'input' }] })
    const put = (version?: number) =>
      server.send('PUT', `/api/mappings/${id}`, {
        token,
        body: { name: 'Bills', rows: [row, row], version },
      })
    expect(mappingIn(await put(1))).toMatchObject({ name: 'Bills', version: 2, rows_count: 2 })
    expect(await put(1)).toMatchObject({ status: 409, body: { code: 'record.changed' } })
    const removed = await server.send('DELETE', `/api/mappings/${id}`, { token })
    expect(removed.status).toBe(204)
    expect(await actions(id)).toEqual(['mapping.create', 'mapping.update', 'mapping.delete'])
    for (const method of ['GET', 'DELETE'] as const) {
      const gone = await server.send(method, `/api/mappings/${id}`, { token })
      expect(gone).toMatchObject({ status: 404, body: { code: 'mapping.not_found' } })
    }
  })

  it('has a name of its own', async () => {
    await create({ name: 'Taken', rows: [row] })
    const again = await create({ name: 'Taken', rows: [row] })
    expect(again).toMatchObject({
      status: 422,
      body: { errors: { name: ['This name is already in use.'] } },
    })
  })

  it.each([
    [{ name: '', rows: [row] }, 'name'],
    [{ name: 'x'.repeat(101), rows: [row] }, 'name'],
    [{ name: 'None', rows: [] }, 'rows'],
    [{ name: 'Many', rows: Array.from({ length: 201 }, () => row) }, 'rows'],
    [{ name: 'Long', rows: [{ ...row, custom_input: 'x'.repeat(262_144) }] }, 'rows'],
    [{ name: 'Odd', rows: [{ from: 1 }] }, 'rows.0.from'],
  ])('is refused as %#, naming the field', async (body, field) => {
    const { status, body: said } = await create(body)
    expect(status).toBe(422)
    expect(Object.keys((said as { errors: object }).errors)).toContain(field)
  })

  it('is not saved by a user who may not send', async () => {
    expect((await create({ name: 'No', rows: [row] }, reader)).status).toBe(403)
  })
})
