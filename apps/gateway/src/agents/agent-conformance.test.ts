import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { findPackageJSON } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Answering } from '@gatehouse/http1/testing/open-upstream'
import { noTrafficPolicy } from '@gatehouse/contract/gateway'
import { expect, it, onTestFinished } from 'vitest'
import { createTrafficPolicies } from '../policy/traffic-policies.ts'
import { clientToken } from '../testing/build-snapshot.ts'
import { buildTool, startAgentGateway } from './testing/agent-gateway.ts'

// The official conformance tool, on revision 2025-11-25: it does not know 2026-07-28 yet.

const packageFile = findPackageJSON('@modelcontextprotocol/conformance', import.meta.url) ?? ''
const tool = join(dirname(packageFile), 'dist', 'index.js')

const answers: Record<string, [type: string, body: string | Buffer, status?: string]> = {
  test_simple_text: ['text/plain', 'This is a simple text response for testing.'],
  test_image_content: ['image/png', Buffer.from([137, 80, 78, 71, 0, 255])],
  test_audio_content: ['audio/wav', Buffer.from([82, 73, 70, 70, 0, 255])],
  test_embedded_resource: ['application/pdf', Buffer.from([37, 80, 68, 70, 0, 255])],
  test_error_handling: ['text/plain', 'This tool intentionally returns an error', '422 No'],
}

/** Why a scenario does not apply. Each has to fail: one that passes belongs to those that have to. */
const notServed: Record<string, string> = {
  'logging-set-level': 'there is no log that a client could read',
  'completion-complete': 'there are no prompts and no resource templates',
  'tools-call-embedded-resource': 'a file is a link, which the client reads where it wants it',
  'tools-call-mixed-content': 'an answer of an endpoint has one body, of one type',
  'tools-call-with-logging': 'a call has one answer, and no notices before it',
  'tools-call-with-progress': 'a call has one answer, and no notices before it',
  'tools-call-sampling': 'nothing is asked of the model of a client',
  'tools-call-elicitation': 'nothing is asked of the user of a client',
  'elicitation-sep1034-defaults': 'nothing is asked of the user of a client',
  'elicitation-sep1330-enums': 'nothing is asked of the user of a client',
  'json-schema-2020-12':
    'the input of a tool is that of its endpoint: it can’t have this very schema',
  'server-sse-polling': 'no stream is opened: each answer is one JSON message',
  'server-sse-multiple-streams': 'no stream is opened: each answer is one JSON message',
  'resources-read-text': 'what can be read is named by the result of a tool alone',
  'resources-read-binary': 'what can be read is named by the result of a tool alone',
  'resources-templates-read': 'there are no resource templates',
  'resources-subscribe': 'what can be read does not change',
  'resources-unsubscribe': 'what can be read does not change',
  'prompts-list': 'there are no prompts',
  'prompts-get-simple': 'there are no prompts',
  'prompts-get-with-args': 'there are no prompts',
  'prompts-get-embedded-resource': 'there are no prompts',
  'prompts-get-with-image': 'there are no prompts',
}

/** The tool shows no token: this does, and passes everything else on as it came. */
async function openTokenProxy(): Promise<{ port: number; lead: (to: number) => void }> {
  let target = 0
  const proxy = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${clientToken}` }
    const call = request(
      { host: '127.0.0.1', port: target, method: req.method, path: req.url, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(res)
      },
    )
    call.on('error', () => res.destroy())
    req.pipe(call)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return { port: (proxy.address() as AddressInfo).port, lead: (to) => (target = to) }
}

it('passes every scenario that applies to tools', async () => {
  const proxy = await openTokenProxy()
  const answer: Answering = (socket, { requestLine }) => {
    const name = /\/(\w+) HTTP/.exec(requestLine)?.[1] ?? ''
    const [type, body, status = '200 OK'] = answers[name] ?? ['text/plain', '']
    const length = Buffer.byteLength(body)
    socket.write(`HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`)
    socket.write(body)
  }
  const cors = {
    origins: [`http://localhost:${proxy.port}`, `http://127.0.0.1:${proxy.port}`],
    methods: ['POST'],
    headers: [],
    exposed_headers: [],
    max_age_seconds: 60,
    allow_credentials: false,
  }
  const { gateway } = await startAgentGateway({
    answer,
    api: { policy: { ...noTrafficPolicy, cors } },
    endpoints: Object.keys(answers).map((name) => ({
      path: `/${name}`,
      tool: buildTool({ name }),
    })),
    options: { compilePolicy: createTrafficPolicies({}).compile },
  })
  proxy.lead(gateway.port)
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const baseline = join(folder, 'baseline.json')
  // YAML holds JSON.
  writeFileSync(baseline, JSON.stringify({ server: Object.keys(notServed) }))
  const url = `http://localhost:${proxy.port}/mcp/sales`
  const args = [tool, 'server', '--url', url, '--suite', 'all', '--expected-failures', baseline]
  const { code, output } = await run(args, folder)
  expect(code, output).toBe(0)
  expect(output).toContain('tools-call-simple-text')
})

const run = (args: string[], cwd: string) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd, timeout: 60_000 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: `${stdout}\n${stderr}` }),
    )
  })
