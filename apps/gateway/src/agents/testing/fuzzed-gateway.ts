import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { buildTool, jsonBody, parameter, startAgentGateway } from './agent-gateway.ts'

/** A gateway with a tool that reads and one that changes something; `check` looks for faults of its own in its log. */
export async function startFuzzedGateway() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-fuzz-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const { post, call, gateway, upstream } = await startAgentGateway({
    options: { dataDir },
    endpoints: [
      {
        path: '/orders/{id}',
        tool: buildTool({
          parameters: [
            parameter('path', 'id', { is_required: true, schema: '{}' }),
            parameter('query', 'page', { schema: '{}' }),
            parameter('header', 'X-No', { schema: '{}' }),
          ],
        }),
      },
      {
        method: 'POST',
        tool: buildTool({ name: 'sales_new', effect: 'submit', body: jsonBody }),
      },
    ],
  })
  async function check(): Promise<void> {
    expect(await call('sales_orders', { id: 'a' })).toMatchObject({ content: [{ text: 'ok' }] })
    expect(upstream.stray).toEqual([])
    await gateway.close()
    const folder = join(dataDir, 'logs', 'gateway')
    const lines = readdirSync(folder).flatMap((file) =>
      readFileSync(join(folder, file), 'utf8').trim().split('\n'),
    )
    expect(lines.filter((line) => line.startsWith('{"level":"error"'))).toEqual([])
  }
  return { post, check }
}
