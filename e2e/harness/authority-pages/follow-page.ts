import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Call } from '../run-product.ts'
import type { AuthorityPage } from './read-page.ts'
import type { ApiSignIn } from './sign-in-check.ts'

const samples = new URL('../../../docs/authorities/samples/', import.meta.url)
const run = promisify(execFile)

/** What the pages have in their variables. */
export type PageVariables = Record<string, string>

/** Runs commands of a page as they are copied, in a folder of their own; returns what they print. */
export async function runCommands(commands: string, cwd: string, variables: PageVariables) {
  const env = { PATH: process.env['PATH'], ...variables }
  const running = run('sh', ['-euc', commands], { cwd, env })
  // Nobody types anything.
  running.child.stdin?.end()
  return (await running).stdout
}

/** The API of a page, at another address than the authority's. */
export function apiAt(page: AuthorityPage, authorityUrl: string): ApiSignIn & { name: string } {
  const { privateKey: pem } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return JSON.parse(
    page.api
      .replaceAll(/https:\/\/[a-z0-9.-]+/g, authorityUrl)
      .replace('"the private key as PEM"', JSON.stringify(pem)),
  ) as ApiSignIn & { name: string }
}

/** Creates the API and its endpoints as the form does; returns `ENDPOINT_1`, … */
export async function registerApi(call: Call, page: AuthorityPage, api: object) {
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return (answer.body as { id: number }).id
  }
  const api_id = await create('/api/apis', api)
  const ids: number[] = []
  // The last one is asked by the others.
  for (const { method, path } of page.endpoints.toReversed()) {
    const number = page.endpoints.length - ids.length
    ids.unshift(
      await create('/api/endpoint', {
        api_id,
        method_type: method.toLowerCase(),
        status: 'active',
        path,
        authentication: 0,
        summery: path,
        description: path,
        run_settings: number === page.settings.of ? settingsOf(page, ids) : {},
      }),
    )
  }
  return Object.fromEntries(ids.map((id, index) => [`ENDPOINT_${index + 1}`, String(id)]))
}

/** As they are copied from the page, with the ids of the endpoints behind it. */
function settingsOf({ settings: { of, json } }: AuthorityPage, later: readonly number[]): object {
  const withIds = later.reduce(
    (text, id, index) => text.replaceAll(`ENDPOINT_${of + 1 + index}`, String(id)),
    json,
  )
  return JSON.parse(withIds) as object
}

/** What a page names and no two invoices share. */
const numbers = {
  'SAMPLE-001': (n: number) => `SAMPLE-${n}`,
  '3aea7b56-59d8-4beb-90bd-f8f280d852a0': (n: number) =>
    `3aea7b56-59d8-4beb-90bd-${String(n).padStart(12, '0')}`,
  '100001': (n: number) => String(100_000 + n),
}

/** The text of a page as it is for the invoice of another number. */
export const renumber = (text: string, n: number) =>
  Object.entries(numbers).reduce((done, [from, to]) => done.replaceAll(from, to(n)), text)

/** A folder as the commands of a page expect it, with the invoice of this number. */
export function folderFor(parent: string, n: number): string {
  const folder = mkdtempSync(join(parent, 'page-'))
  const copied = join(folder, 'samples')
  cpSync(samples, copied, { recursive: true })
  const files = readdirSync(copied, { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name } of files)
    writeFileSync(join(copied, name), renumber(readFileSync(join(copied, name), 'utf8'), n))
  return folder
}
