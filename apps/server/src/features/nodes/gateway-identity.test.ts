import { afterEach, expect, test } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
afterEach(() => server.close())

const seen = '2026-06-01T09:00:00.000Z'
const goneBefore = '2026-06-01T08:59:30.000Z'
const node = {
  instance_id: 'edge',
  start_id: 'first',
  beat: 4,
  place: 'boot lock-1',
  name: 'edge',
  version: '1',
  role: 'gateway',
  started_at: '2026-06-01T08:00:00.000Z',
  seen_at: seen,
  stopped_at: null,
  state: null,
}
const copied = { start_id: 'second', beat: 1, place: 'boot lock-2' }

test.each([
  ['the next report', {}, { beat: 5 }, true],
  ['a report that was sent again', {}, { beat: 4 }, false],
  ['a start on the same folder, after a crash', {}, { ...copied, place: node.place }, true],
  ['a start with a copy of the folder', {}, copied, false],
  [
    'one where the system does not say which folder it is',
    { place: '' },
    { ...copied, place: '' },
    false,
  ],
  ['a start elsewhere, once the other is silent', { seen_at: goneBefore }, copied, true],
  ['a start elsewhere, once the other has stopped', { stopped_at: seen }, copied, true],
  ['a gateway with the identity of a control plane', { role: 'control' }, copied, false],
])('%s: whether it has the identity', async (_, before, change, isTaken) => {
  server = await buildServer()
  const { nodes } = server.stores
  await nodes.insert({ ...node, ...before })
  expect(await nodes.putGateway({ ...node, ...change }, goneBefore)).toBe(isTaken)
  expect((await nodes.find('edge'))?.start_id).toBe(
    isTaken ? { ...node, ...change }.start_id : 'first',
  )
})
