import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  apiAt,
  folderFor,
  registerApi,
  renumber,
  runCommands,
  type PageVariables,
} from '../harness/authority-pages/follow-page.ts'
import {
  blocksOf,
  readAuthorityPage,
  type AuthorityAnswer,
  type Moment,
  type Sent,
} from '../harness/authority-pages/read-page.ts'
import {
  runScriptedAuthority,
  type ScriptedAuthority,
} from '../harness/authority-pages/scripted-authority.ts'
import type { Received } from '../harness/authority-pages/sign-in-check.ts'
import { erpToken, type ErpToken } from '../harness/authority-pages/erp-token.ts'
import {
  adminPassword,
  runProduct,
  signIn,
  type Call,
  type Product,
} from '../harness/run-product.ts'

// The pages of docs/authorities are followed as they are written: definition, commands and outcomes.

const pages = new URL('../../docs/authorities/', import.meta.url)
const readme = new URL('README.md', pages)
const names = readdirSync(pages)
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .map((file) => file.slice(0, -'.md'.length))

let folder: string
let product: Product
let authority: ScriptedAuthority
let call: Call
let session: string
let erp: ErpToken
/** Of all pages together: no two runs send the same document. */
let invoices = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-pages-'))
  ;[product, authority] = await Promise.all([
    runProduct({ DATA_DIR: join(folder, 'data') }),
    runScriptedAuthority(),
  ])
  call = await signIn(product.url)
  erp = await erpToken(call)
  const login = blocksOf(readFileSync(readme, 'utf8')).find(({ language }) => language === 'sh')
  session = await runCommands(`${login?.text}\nprintf %s "$SESSION"`, folder, {
    GATEHOUSE: product.url,
    EMAIL: 'admin@example.com',
    PASSWORD: adminPassword,
  })
})
afterAll(async () => {
  await Promise.all([product?.end('SIGKILL'), authority?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

it('every profile of run settings has a page', () => {
  expect(names.toSorted()).toEqual(runProfiles.map(({ name }) => name).toSorted())
})

describe.each(names)('%s', (name) => {
  const page = readAuthorityPage(new URL(`${name}.md`, pages))
  let variables: PageVariables

  beforeAll(async () => {
    const api = apiAt(page, authority.url)
    authority.guard(api)
    const endpoints = await registerApi(call, page, { ...api, name: `${api.name} ${name}` })
    variables = { GATEHOUSE: product.url, SESSION: session, TOKEN: erp.token, ...endpoints }
    const saved = await runCommands(page.save, folderFor(folder, 0), variables)
    const { id } = JSON.parse(saved) as { id: number }
    await erp.allow([id])
  })

  it.each(page.outcomes)('$title', async ({ moments }) => {
    const n = ++invoices
    const cwd = folderFor(folder, n)
    const [first, ...later] = scenesOf(moments, n)
    if (!first) throw new Error('The page does not say what the caller sees.')
    authority.expect(first.answers)
    const started = await runCommands(page.start, cwd, variables)
    expect(JSON.parse(started)).toMatchObject(first.seen)

    const { run } = JSON.parse(started) as { run: { key: string } }
    const lookUp = async () =>
      JSON.parse(await runCommands(page.lookUp, cwd, { ...variables, KEY: run.key })) as object
    const { state } = (first.seen as { run: { state?: string } }).run
    const scenes = later.length > 0 ? later : [{ answers: [], seen: { runs: [{ state }] } }]
    for (const { answers, seen } of scenes) {
      authority.decide(answers)
      await vi.waitFor(async () => expect(await lookUp()).toMatchObject(seen), {
        interval: 250,
      })
    }
    expectSent(page.sent, authority.received, n)
    const submits = moments.filter((each) => each.kind === 'answer' && !each.answer.isPoll)
    expect(authority.received.filter(({ method }) => method !== 'GET')).toHaveLength(submits.length)
  })
})

interface Scene {
  answers: AuthorityAnswer[]
  seen: object
}

/** What the authority answers, and what the caller sees then. */
function scenesOf(moments: readonly Moment[], n: number): Scene[] {
  const scenes: Scene[] = []
  let answers: AuthorityAnswer[] = []
  for (const moment of moments) {
    if (moment.kind === 'answer') {
      answers.push({ ...moment.answer, body: renumber(moment.answer.body, n) })
      continue
    }
    scenes.push({ answers, seen: JSON.parse(renumber(moment.json, n)) as object })
    answers = []
  }
  return scenes
}

/** Numbers are compared as they are written, elements of XML without the white space between them. */
function expectSent(shown: readonly Sent[], received: readonly Received[], n: number): void {
  const submits = received.filter(({ method }) => method !== 'GET')
  const exact = (language: string, text: string) =>
    language === 'json'
      ? stringifyExact(parseExact(text))
      : text.replaceAll(/\s+/g, ' ').replaceAll('> <', '><').trim()
  for (const [index, { method, path, body }] of submits.entries()) {
    // Sent again after a time, it is the same request.
    const wanted = shown[Math.min(index, shown.length - 1)]
    if (!wanted) throw new Error(`The page does not show request ${index + 1}.`)
    expect(method).toBe(wanted.method)
    expect(path.endsWith(renumber(wanted.path, n)), path).toBe(true)
    expect(exact(wanted.language, body)).toBe(exact(wanted.language, renumber(wanted.body, n)))
  }
}
