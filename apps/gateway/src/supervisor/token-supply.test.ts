import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { TokenWantedMessage } from '../messages/worker-messages.ts'
import { openHarness, snapshotOf, type Harness } from './testing/fleet-harness.ts'
import { request } from './testing/steady-load.ts'

let harness: Harness
beforeEach(() => {
  harness = openHarness()
})
afterEach(() => harness.end())

const credential = {
  kind: 'login_call',
  refused_when: null,
  url: 'https://authority.test/login',
  method: 'POST' as const,
  headers: [],
  body: '',
  content_type: 'application/json',
  token_path: 'token',
  expires_path: '',
  lifetime_seconds: null,
  send_as: [{ name: 'X-Session', value: 'sid={token}' }],
} as const

/** Answers with the token that came. */
async function startUpstream(): Promise<string> {
  const server = createServer((req, res) => res.end(req.headers['x-session'])).listen(
    0,
    '127.0.0.1',
  )
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function start(onTokenWanted: (wanted: TokenWantedMessage) => Promise<string>) {
  const livesMs = 60_000
  const token = (text: string, version: number) => ({
    token: text,
    version,
    renew_at_ms: Date.now() + livesMs,
    expires_at_ms: Date.now() + livesMs,
  })
  const fleet = harness.start({
    onTokenWanted: async (wanted) => token(await onTokenWanted(wanted), 1),
  })
  const snapshot = snapshotOf(1, await startUpstream())
  const [api] = snapshot.apis
  if (!api) throw new Error('There is an API.')
  api.credential = { ...credential, headers: [], send_as: [...credential.send_as] }
  await fleet.publish(snapshot)
  await fleet.ready()
  const ask = () => request(`http://127.0.0.1:${fleet.address.port}/t/slow`)
  return { fleet, ask, setToken: (text: string) => fleet.setToken(1, token(text, 2)) }
}

it('a worker asks its parent for a token, and a new one reaches every worker', async () => {
  const wanted: TokenWantedMessage[] = []
  const { fleet, ask, setToken } = await start(async (message) => {
    wanted.push(message)
    return 'one'
  })
  expect(await ask()).toEqual({ status: 200, text: 'sid=one' })
  expect(wanted[0]).toEqual({ type: 'token-wanted', api_id: 1, refused: null })
  setToken('two')
  await vi.waitFor(async () => {
    for (let each = 0; each < 10; each++) expect((await ask()).text).toBe('sid=two')
  })
  expect(fleet.workers().map(({ revision }) => revision)).toEqual([1, 1])
})

it('a parent without a token says why, and the request is refused', async () => {
  const { ask } = await start(() => Promise.reject(new Error('The authority refuses.')))
  const { status, text } = await ask()
  expect(status).toBe(502)
  expect(text).toContain('upstream.sign_in')
  expect(text).not.toContain('The authority refuses.')
})
