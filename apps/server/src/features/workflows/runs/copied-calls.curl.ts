import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { workflowCallExamples, type CallLanguage } from '@gatehouse/contract/call-examples'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMachineServer, type MachineServer } from '../../../../test/servers/machine-server.ts'

// The suite runs where curl and OpenSSL are.

const run = promisify(execFile)
const sample = '{"no":"INV-$(1)`\\"\'é","total":0.10,"big":12345678901234567890}'

let app: MachineServer
let slug: string
let baseUrl: string
let token: string
beforeAll(async () => {
  app = await startMachineServer()
  const post = await app.endpoint()
  const flow = await app.workflow([{ endpointId: post, text: '{}' }])
  slug = flow.slug
  ;({ token } = await app.machine(flow))
  await app.server.app.listen({ port: 0, host: '127.0.0.1' })
  baseUrl = `http://127.0.0.1:${(app.server.app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

const codeIn = (language: CallLanguage, input: string) =>
  workflowCallExamples(baseUrl, slug, input).find((each) => each.language === language)?.code ?? ''

const environment = () => ({ env: { ...process.env, GATEHOUSE_TOKEN: token } })

async function lastInput() {
  const row = await app.server.db
    .selectFrom('run_input')
    .select('body')
    .orderBy('run_id', 'desc')
    .executeTakeFirstOrThrow()
  return row.body.replace(/\s*\n\s*/g, '').replaceAll('": ', '":')
}

it('curl works as it is copied, and sends the sample as it was written', async () => {
  const { stdout } = await run('sh', ['-c', codeIn('curl', sample)], environment())
  expect(stdout).toContain('HTTP/1.1 200 OK')
  expect(stdout).toContain('"state":"succeeded"')
  expect(await lastInput()).toBe(sample)
})

it.each([sample, '{"no":"INV-2","lines":[1,2.5]}'])(
  'Node works as it is copied: %s',
  async (input) => {
    const script = ['--input-type=module', '--eval', codeIn('Node', input)]
    const { stdout } = await run(process.execPath, script, environment())
    expect(stdout).toMatch(/^200 Request sent successfully! \d+ succeeded \/api\/workflows\//)
    expect(await lastInput()).toBe(input)
  },
)
