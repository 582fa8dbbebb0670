import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { endpointOf, httpApi } from '../servers/build-server.ts'
import { hostileJson } from './hostile-bodies.ts'
import { triesMax, turnMaxMs } from '../time/longest-turn.ts'
import { startMeteredServer } from '../servers/metered-server.ts'

const xml = (bytes: number, unit: string) =>
  Buffer.from(`<a>${unit.repeat(bytes / unit.length)}</a>`)

/** Answers of a given size that take long to read. */
export const hostileAnswers: Record<string, (bytes: number) => Buffer> = {
  ...hostileJson,
  'XML with many elements': (bytes) => xml(bytes, '<b/>'),
  'XML with many attributes': (bytes) => xml(bytes, '<b c="1"/>'),
  'XML that is not closed': (bytes) => xml(bytes, '<b>'),
}

/** An API whose answers are whatever was set last. */
async function startAuthority() {
  const said: { body: Buffer } = { body: Buffer.alloc(0) }
  const authority = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(said.body)
    })
  })
  onTestFinished(() => {
    authority.closeAllConnections()
    authority.close()
  })
  await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve))
  const { port } = authority.address() as AddressInfo
  return { said, url: `http://127.0.0.1:${port}` }
}

/**
 * Sends a document, asks for its status and fetches, with each of the answers. Returns those that held the loop for
 * too long, or of which anything was believed.
 */
export async function unfitAnswers(answers: Iterable<[string, Buffer]>): Promise<string[]> {
  const server = await startMeteredServer()
  const { said, url } = await startAuthority()
  const { id: api } = await server.call('/api/apis', httpApi({ name: 'Authority', api_url: url }))
  const endpoint = async (more: Record<string, unknown>) =>
    (await server.call('/api/endpoint', endpointOf(api, more))).id
  const asked = await endpoint({ path: '/status', method_type: 'get' })
  const isOk = { conditions: [{ path: 'state', test: 'equals', value: 'ok' }] }
  const submit = await endpoint({
    path: '/submit',
    method_type: 'post',
    run_settings: {
      success_rule: isOk,
      rejection_rule: { conditions: [{ path: 'state', test: 'equals', value: 'no' }] },
      message_path: 'messages, errors[*].text',
      reference_path: 'no',
      status_query: {
        endpoint_id: asked,
        parameter: 'no',
        received: isOk,
        not_received: { statuses: '404' },
        quiet_seconds: 5,
      },
    },
  })
  const ask = async (path: string, sent?: unknown) =>
    JSON.stringify(await server.call(path, sent).catch((error: unknown) => String(error)))
  let sent = 0
  /** The longest turn of the three calls, in ms. */
  const longestOf = async (): Promise<number> => {
    await server.longestTurn()
    const document = { end_point: submit, first_endpoint: '', token: '' }
    const second_endpoint = JSON.stringify({ no: `H-${++sent}` })
    const outcome = await ask('/api/prepare-data', { ...document, second_endpoint })
    if (!outcome.includes('unknown')) throw new Error(`Believed: ${outcome.slice(0, 1_000)}`)
    const [, run = ''] = /\\?"run\\?":\{\\?"id\\?":(\d+)/.exec(outcome) ?? []
    const inquiry = await ask(`/api/runs/${run}/status-query`, { step: 1, token: '' })
    if (!inquiry.includes('undecided')) throw new Error(`Believed: ${inquiry.slice(0, 1_000)}`)
    await ask(`/admin/get-data?end_point=${asked}`)
    return server.longestTurn()
  }
  const unfit: string[] = []
  for (const [name, body] of answers) {
    said.body = body
    let longest = Infinity
    for (let tries = 0; tries < triesMax && longest > turnMaxMs; tries++)
      longest = await longestOf()
    if (longest > turnMaxMs) unfit.push(`${name}: ${longest.toFixed()} ms`)
  }
  if (await server.hasGrownTooMuch()) unfit.push('memory')
  return unfit
}
