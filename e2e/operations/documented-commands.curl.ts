import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shellBlocks } from '../../scripts/checks/shell-blocks.ts'
import { erpToken } from '../harness/authority-pages/erp-token.ts'
import { runCommands } from '../harness/authority-pages/follow-page.ts'
import { creatorOf } from '../harness/creator.ts'
import { adminPassword, runProduct, type Product } from '../harness/run-product.ts'
import { runTaxAuthority, type TaxAuthority } from '../harness/upstreams/tax-authority.ts'

// Blocks of the documentation that are marked as `sh run` work as they are copied, on a fresh installation: all
// that is changed are the addresses, paths and secrets that they name as examples.

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** A reader stands in the checkout; the commands here run in a folder of their own. */
const standIn = 'npm() { command npm --prefix "$CHECKOUT" "$@"; }\n'

let folder: string
let product: Product
let authority: TaxAuthority
let variables: Record<string, string>
/** Examples of the pages, and what they are here. */
let examples: [example: string, here: string][]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-commands-'))
  const data = join(folder, 'data')
  ;[product, authority] = await Promise.all([runProduct({ DATA_DIR: data }), runTaxAuthority()])
  const { call, createApi, createEndpoint } = await creatorOf(product.url)
  const made = async (path: string, body: object) => (await call('POST', path, body)).body

  const ledger = await createApi('Ledger', 'http://127.0.0.1:9', {
    traffic_policy: { signature: { window_seconds: 300 } },
  })
  const fixed = { authentication: 1, enable_custom_output: 1, custom_output: '{"done": true}' }
  await createEndpoint(ledger, ['post', '/entries', 'New entry'], fixed)
  const signing = (await made('/admin/token/store', { name: 'Signing' })) as {
    access_token: { id: number }
  }
  const { id } = signing.access_token
  const { signing_secret } = (await made(`/api/token/${id}/signing-secret`, {})) as {
    signing_secret: string
  }

  const taxes = await createApi('Authority', authority.url)
  const endpoint_id = await createEndpoint(taxes, ['post', '/invoices', 'File an invoice'], {
    run_settings: { reference_path: 'no' },
  })
  const workflow = (await made('/api/workflows', {
    name: 'Invoices',
    slug: 'invoices',
    kind: 'tax',
    status: 'active',
    reference_path: 'no',
    lane: { name: 'invoices' },
    steps: [{ endpoint_id, body: { kind: 'template', text: '"{{input}}"' } }],
  })) as { id: number }
  const erp = await erpToken(call)
  await erp.allow([workflow.id])
  const { admin_token } = (await made('/api/admin-tokens', {
    name: 'Pipeline',
    permissions: ['api.view', 'endpoint.view'],
    expires_in_days: 30,
    current_password: adminPassword,
  })) as { admin_token: { token: string } }

  mkdirSync(join(folder, 'backups'))
  writeFileSync(join(folder, 'june.csv'), 'no,total\nINV-1,10\nINV-2,20\n')
  variables = {
    HOME: folder,
    CHECKOUT: checkout,
    DATA_DIR: data,
    GATEHOUSE_PASSWORD: adminPassword,
    TOKEN: erp.token,
  }
  examples = [
    ['https://gatehouse.example.com', product.url],
    ['https://api.example.com', product.gatewayUrl],
    ['ops@example.com', 'admin@example.com'],
    ['/var/backups/gatehouse', join(folder, 'backups')],
    ['$GATEHOUSE_TOKEN', admin_token.token],
    ['gha_…', admin_token.token],
    ['ghk_…', signing_secret],
    ['id=12 ', `id=${id} `],
  ]
})
afterAll(async () => {
  await Promise.all([product?.end('SIGKILL'), authority?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

/** What shows that a block has worked, by its page. */
const shows: Record<string, (printed: string) => void> = {
  'docs/administrators/second-factor.md': (printed) => expect(printed).toContain('Password: '),
  'docs/administrators.md': (printed) => {
    expect(printed).toContain('submitted_data')
    expect(printed).toContain('\ngatehouse: 1\n')
  },
  'docs/batches.md': (printed) => expect(JSON.parse(printed)).toMatchObject({ batch: {} }),
  'docs/callers/signed-requests.md': (printed) =>
    expect(JSON.parse(printed)).toEqual({ done: true }),
  'docs/configuration.md': (printed) => {
    const document = readFileSync(join(folder, 'gatehouse.yaml'), 'utf8')
    expect(document).toMatch(/^gatehouse: 1$/m)
    expect(document).toContain('Ledger POST /entries')
    expect(printed).not.toMatch(/change|refused/)
  },
  'docs/operations.md': (printed) => expect(printed).toContain('checks are in order'),
  'docs/operations/upgrade.md': (printed) => expect(printed).toContain('is of this version'),
  'docs/operations/passwords.md': (printed) => expect(printed).toContain('Password: '),
  'docs/operations/backup-and-restore.md': (printed) => {
    expect(printed).toContain(' rows')
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(1)
  },
}

/** A new password ends the sessions and tokens that the others show. */
const resets = (text: string) => text.includes('reset-password')
const blocks = shellBlocks()
  .filter(({ isRun }) => isRun)
  .toSorted((a, b) => Number(resets(a.text)) - Number(resets(b.text)))

it.each(blocks)('$file:$line', async ({ file, text }) => {
  const here = examples.reduce((done, [example, its]) => done.replaceAll(example, its), text)
  const printed = await runCommands(standIn + here, folder, variables)
  const show = shows[file]
  if (!show) throw new Error(`Say in this test what shows that the commands of ${file} work.`)
  if (resets(text)) expect(printed).toContain('Password: ')
  show(printed)
})
