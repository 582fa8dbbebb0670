import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMachineServer, type MachineServer } from '../../../../test/servers/machine-server.ts'
import { openApiProblems } from '../../../../test/openapi/openapi-problems.ts'

let app: MachineServer
let invoices: Awaited<ReturnType<MachineServer['workflow']>>
let receipts: typeof invoices
beforeAll(async () => {
  app = await startMachineServer()
  const steps = [{ endpointId: await app.endpoint(), text: '{}' }]
  invoices = await app.workflow(steps, {
    definition: {
      name: 'Report invoices',
      description: 'To the authority.',
      reference_path: 'no',
      sample_input: { no: 'INV-1' },
      input_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          no: { $ref: '#/$defs/name' },
          self: { $ref: '#' },
          link: { const: { $ref: '#/$defs/name' } },
        },
        $defs: { name: { type: 'string' } },
      },
    },
  })
  receipts = await app.workflow(steps)
})
afterAll(() => app.close())

interface OpenApi {
  paths: Record<string, { post?: { requestBody: unknown; responses: object; security: unknown } }>
  components: { schemas: Record<string, unknown> }
}

async function reference(token: string) {
  const answer = await app.server.send('GET', '/api/openapi.json', { token })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  return { text: answer.text, ...(answer.body as OpenApi) }
}

const pathOf = ({ slug }: { slug: string }) => `/api/workflows/${slug}/runs`

/** Whether each reference of the document leads to something. */
function danglingIn(document: { text: string } & OpenApi): string[] {
  const found = [...document.text.matchAll(/"\$ref":"#([^"]*)"/g)].map(([, pointer]) => pointer!)
  const lookUp = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document)
  // The one within a `const` is data.
  return found.filter((pointer) => lookUp(pointer) === undefined && pointer !== '/$defs/name')
}

it('describes each workflow with its input schema, its sample and its answers', async () => {
  const document = await reference(app.token)
  const { post } = document.paths[pathOf(invoices)]!
  const schema = `Input_${invoices.slug.replaceAll('-', '_')}`
  expect(post).toMatchObject({
    operationId: `run_${invoices.slug.replaceAll('-', '_')}`,
    summary: 'Run Report invoices',
    security: [{ personal_token: [] }, { bearer: [] }],
    requestBody: {
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${schema}` },
          examples: { sample: { value: { no: 'INV-1' } } },
        },
      },
    },
  })
  const statuses = [200, 202, 400, 401, 403, 404, 409, 413, 415, 422, 502, 503, 504]
  expect(Object.keys(post!.responses).map(Number)).toEqual(statuses)
  expect(document.components.schemas[schema]).toEqual({
    type: 'object',
    properties: {
      no: { $ref: `#/components/schemas/${schema}/$defs/name` },
      self: { $ref: `#/components/schemas/${schema}` },
      link: { const: { $ref: '#/$defs/name' } },
    },
    $defs: { name: { type: 'string' } },
  })
  expect(danglingIn(document)).toEqual([])
  expect(await openApiProblems(JSON.parse(document.text) as object)).toEqual([])
})

it('numbers of a sample are as they were written', async () => {
  const exact = '{"total":0.10,"id":12345678901234567890}'
  const { db } = app.server
  const { definition } = await db
    .selectFrom('workflow_version')
    .select('definition')
    .where('workflow_id', '=', receipts.id)
    .executeTakeFirstOrThrow()
  const changed = definition.replace('"sample_input":null', `"sample_input":${exact}`)
  await db
    .updateTable('workflow_version')
    .set({ definition: changed })
    .where('workflow_id', '=', receipts.id)
    .execute()
  expect((await reference(app.token)).text).toContain(`{"value":${exact}}`)
})

it('shows a user only the workflows that they may see or run', async () => {
  const holder = await app.server.buildUser()
  const { id: role } = (await app.server.stores.users.rolesOf(holder.id))[0]!
  await app.server.stores.workflowAccess.set(role, [receipts.id])
  const outsider = await app.server.buildUser()
  const viewer = await app.server.buildUser({ permissions: ['workflow.view'] })
  const seen = async (token: string) => {
    const { paths } = await reference(token)
    return [invoices, receipts].map((flow) => pathOf(flow) in paths)
  }
  expect(await seen(viewer.token)).toEqual([true, true])
  expect(await seen(holder.token)).toEqual([false, true])
  expect(await seen(outsider.token)).toEqual([false, false])
  // What one caller was shown is not kept for the next.
  expect((await reference(outsider.token)).text).not.toContain(invoices.slug)
})

it('shows a new version at once, and a deleted workflow no more', async () => {
  await app.server.db
    .updateTable('workflow')
    .set({ deleted_at: '2026-06-01T08:00:00.000Z' })
    .where('id', '=', invoices.id)
    .execute()
  expect(pathOf(invoices) in (await reference(app.token)).paths).toBe(false)
})

it('is not opened by a personal token', async () => {
  const { token } = await app.machine(receipts)
  expect((await app.server.send('GET', '/api/openapi.json', { token })).status).toBe(401)
})
