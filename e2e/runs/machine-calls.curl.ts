import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { erpToken } from '../harness/authority-pages/erp-token.ts'
import { runCommands, type PageVariables } from '../harness/authority-pages/follow-page.ts'
import { blocksOf } from '../harness/authority-pages/read-page.ts'
import { runProduct, signIn, type Product } from '../harness/run-product.ts'
import { runTaxAuthority, type TaxAuthority } from '../harness/upstreams/tax-authority.ts'

// The calls of docs/machine-calls.md work as they are copied.

const page = readFileSync(new URL('../../docs/machine-calls.md', import.meta.url), 'utf8')
const codeOf = (language: string) =>
  blocksOf(page).flatMap((block) => (block.language === language ? [block.text] : []))

let folder: string
let product: Product
let authority: TaxAuthority
let variables: PageVariables
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-calls-'))
  ;[product, authority] = await Promise.all([
    runProduct({ DATA_DIR: join(folder, 'data') }),
    runTaxAuthority(),
  ])
  const call = await signIn(product.url)
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return (answer.body as { id: number }).id
  }
  const api_id = await create('/api/apis', {
    name: 'Authority',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: authority.url,
  })
  const endpoint_id = await create('/api/endpoint', {
    api_id,
    method_type: 'post',
    status: 'active',
    path: '/invoices',
    authentication: 0,
    summery: 'File an invoice',
    description: 'File an invoice',
    run_settings: { reference_path: 'no' },
  })
  const workflow = await create('/api/workflows', {
    name: 'Invoices',
    slug: 'invoices',
    kind: 'tax',
    status: 'active',
    reference_path: 'no',
    lane: { name: 'invoices' },
    steps: [{ endpoint_id, body: { kind: 'template', text: '"{{input}}"' } }],
  })
  const erp = await erpToken(call)
  await erp.allow([workflow])
  variables = { GATEHOUSE: product.url, TOKEN: erp.token }
})
afterAll(async () => {
  await Promise.all([product?.end('SIGKILL'), authority?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

it('curl starts a run and looks it up', async () => {
  const [start = '', lookUp = ''] = codeOf('sh')
  const started = JSON.parse(await runCommands(start, folder, variables)) as object
  expect(started).toMatchObject({ run: { state: 'succeeded', reference: 'INV-1001' } })
  const found = JSON.parse(await runCommands(lookUp, folder, variables)) as object
  expect(found).toMatchObject({ runs: [{ state: 'succeeded', reference: 'INV-1001' }] })
  expect(authority.stored.get('/invoices')).toEqual(['{"no":"INV-1001","total":119.00}'])
})

it('Node starts a run', async () => {
  const [code = ''] = codeOf('js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { env: { ...process.env, ...variables } },
  )
  expect(stdout).toMatch(/^200 succeeded \/api\/workflows\/invoices\/runs\/\d+$/m)
  expect(authority.stored.get('/invoices')).toContain('{"no":"INV-1002","total":119.00}')
})
