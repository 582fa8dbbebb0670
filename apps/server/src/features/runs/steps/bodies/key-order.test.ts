import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { json, startRunServer, type RunServer } from '../../../../../test/servers/run-server.ts'

let app: RunServer
let first: number
let second: number
let put: number
let read: number
beforeAll(async () => {
  app = await startRunServer()
  first = await app.endpoint()
  second = await app.endpoint()
  put = await app.endpoint({ method_type: 'put', path: '/put/{id}' })
  read = await app.endpoint({ method_type: 'get', path: '/read' })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, '{"z":{"y":1,"3":2},"id":7,"1":"one"}'))
})
const sent = (at: number) => app.upstream.received[at]?.body

it('keys that are numbers keep their place beside placeholders and dependency fields', async () => {
  const answer = await app.tax([
    { end_point: first, body: '{"b":1,"10":2}' },
    {
      end_point: second,
      body: '{"b":"{{steps.1.body.id}}","10":{"x":0,"2":0}}',
      dependency_field: "z,['1']:5,id:b",
      is_dependent: true,
    },
    { end_point: second, body: '{"whole":"{{steps.1.body}}","10":1,"9":2}' },
    { end_point: put, body: '{"id":7,"b":1.0,"10":2}' },
  ])
  expect(answer.status, answer.text).toBe(200)
  expect(sent(0)).toBe('{"b":1,"10":2}')
  expect(sent(1)).toBe('{"b":7,"10":{"x":0,"2":0},"z":{"y":1,"3":2},"5":"one"}')
  expect(sent(2)).toBe('{"whole":{"z":{"y":1,"3":2},"id":7,"1":"one"},"10":1,"9":2}')
  expect(sent(3)).toBe('{"b":1.0,"10":2}')
})

it('they do in a query string, in what is fetched, and in what is mapped', async () => {
  const fetched = await app.server.send('GET', '/admin/get-data', {
    token: app.token,
    query: { end_point: String(read), body: '{"b":1,"10":2}' },
  })
  expect(app.upstream.received[0]?.url).toBe('/read?b=1&10=2')
  expect(fetched.text).toContain('"data":{"z":{"y":1,"3":2},"id":7,"1":"one"}')
  const rows = ['z', 'id'].map((from) => ({ from, to: from === 'z' ? '$' : "['2']" }))
  const mapped = await app.post('/api/prepare-data', {
    end_point: first,
    first_endpoint: '{"z":{"y":1,"3":2},"id":7,"1":"one"}',
    second_endpoint: JSON.stringify(rows),
  })
  expect(mapped.status, mapped.text).toBe(200)
  expect(sent(1)).toBe('{"y":1,"3":2,"2":7}')
})

it('an object that calls itself a number is an object', async () => {
  const body = '{"isLosslessNumber":true,"value":"1","id":5}'
  expect((await app.tax([{ end_point: put, body }])).status).toBe(200)
  expect(app.upstream.received[0]).toMatchObject({
    url: '/put/5',
    body: '{"isLosslessNumber":true,"value":"1"}',
  })
})
