import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorOf } from '../harness/creator.ts'
import { acceptWebSocket } from '../harness/upstreams/echo-upstream.ts'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'

// An endpoint gets the switch in its form; a WebSocket then passes through the gateway, and Try it says what it is.

const journey = startJourney()
const server = createServer((_request, response) => response.end('plain'))
const sockets: Socket[] = []
let edit: string

beforeAll(async () => {
  server.on('upgrade', greet)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { createApi, createEndpoint } = await creatorOf(journey.url)
  const { port } = server.address() as AddressInfo
  const api = await createApi('Prices', `http://127.0.0.1:${port}`)
  const id = await createEndpoint(api, ['get', '/live', 'Live prices'])
  edit = `/dashboard/admin/endpoint/edit/${id}`
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
  server.closeAllConnections()
})

/** Takes every WebSocket and sends one text. */
function greet(request: IncomingMessage, socket: Socket) {
  sockets.push(socket)
  acceptWebSocket(request, socket)
  socket.resume().write('\x81\x05hello', 'latin1')
}

/** The first message, or why there is none. */
function firstMessage(): Promise<string> {
  const socket = new WebSocket(`${journey.gatewayUrl.replace('http', 'ws')}/prices/live`)
  return new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      resolve(String(data))
      socket.close()
    })
    socket.addEventListener('error', () => resolve('refused'))
  })
}

it('before the switch is on, no WebSocket is opened', async () => {
  expect(await firstMessage()).toBe('refused')
  expect(sockets).toHaveLength(0)
})

it('the switch is set in the form, with bounds that are checked', async () => {
  const { page } = journey
  await showScreen(page, edit)
  await page.getByRole('switch', { name: 'WebSocket' }).click()
  await page.getByRole('textbox', { name: 'Idle time' }).fill('1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The idle time must be').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Idle time' }).fill('60')
  await page.getByRole('textbox', { name: 'Largest message' }).fill('64 KiB')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'Endpoint saved.')
  await page.getByText('No unsaved changes').waitFor()
})

it('a WebSocket passes through the gateway', async () => {
  expect(await firstMessage()).toBe('hello')
})

it('the form shows what is stored, and Try it says that it is a WebSocket endpoint', async () => {
  const { page } = journey
  await showScreen(page, edit)
  await page.getByRole('switch', { name: 'WebSocket', checked: true }).waitFor()
  const size = page.getByRole('textbox', { name: 'Largest message' })
  expect(await size.inputValue()).toBe('64 KiB')
  await page.getByRole('heading', { name: 'Try it' }).click()
  await page.getByText('This is a WebSocket endpoint').waitFor()
  await expectAccessible(page)
})
