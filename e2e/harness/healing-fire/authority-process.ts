// Tax authorities of three kinds for three companies, in a process of their own. Each document that one takes is a line
// of the given file, on disk before it is answered. Prints its port when it listens.
//
//   POST /{company}/{kind}/submit    a document, or a list of them
//   GET  /{company}/{kind}/status    ?submission=… or ?number=…, and pageNo: what became of documents
//   POST /{company}/token            a token that lives 20 s; ill for 4 s of every 30
import { createHash } from 'node:crypto'
import { fdatasync, openSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import {
  companies,
  listWords,
  mischief,
  type Company,
  type Kind,
  type Mischief,
  type Stored,
} from './kinds.ts'

const [recordFile = '', seed = '1'] = process.argv.slice(2)
const record = openSync(recordFile, 'a')
const onDisk = promisify(fdatasync)
const decidesAfterMs = 1_500
const pageLength = 2
/** Every so many documents one is rejected when it is decided. */
const rejectsEvery = 50

let drawn = 0
/** From 0 to 1, the same sequence for the same seed. */
const random = () =>
  createHash('sha256').update(`${seed}:${drawn++}`).digest().readUInt32BE() / 2 ** 32
function draw(): Mischief | 'taken' {
  let at = random()
  for (const [name, share] of Object.entries(mischief)) {
    if (at < share) return name as Mischief
    at -= share
  }
  return 'taken'
}

interface Sent {
  request: IncomingMessage
  response: ServerResponse
  company: Company
  kind: Kind
}

const stored: Stored[] = []
/** Of ZATCA: what was cleared, by the hash of its bytes. */
const cleared = new Set<string>()
const tokens = new Map<string, number>()

async function store(
  documents: Omit<Stored, 'number' | 'verdict' | 'decidesAt'>[],
  isLater: boolean,
) {
  const made = documents.map((each): Stored => {
    const number = `N-${stored.length + 1}`
    const isRejected = isLater && (stored.length + 1) % rejectsEvery === 0
    const one: Stored = {
      ...each,
      number,
      verdict: isRejected ? 'rejected' : 'accepted',
      decidesAt: Date.now() + (isLater ? decidesAfterMs : 0),
    }
    stored.push(one)
    writeSync(record, `${JSON.stringify(one)}\n`)
    return one
  })
  await onDisk(record)
  return made
}

async function submit({ request, response, company, kind }: Sent): Promise<void> {
  const text = await bodyOf(request)
  const outcome = draw()
  if (outcome === 'cut before storing') return void request.socket.destroy()
  if (outcome === 'unavailable') return answer(response, 503, {})
  if (outcome === 'throttled') return answer(response, 429, {}, { 'retry-after': '1' })
  const sent = { request, response, company, kind }
  if (kind === 'zatca') return clear(sent, text, outcome)
  return take(sent, kind, text, outcome)
}

async function clear({ request, response, company, kind }: Sent, text: string, outcome: string) {
  const hash = createHash('sha256').update(`${company} ${text}`).digest('hex')
  if (cleared.has(hash)) return answer(response, 208, { clearanceStatus: 'CLEARED' })
  if (outcome === 'off') return answer(response, 303, { message: 'Clearance is off.' })
  if (outcome === 'refused')
    return answer(response, 400, { validationResults: { status: 'ERROR' } })
  cleared.add(hash)
  const { uuid: reference } = JSON.parse(text) as { uuid: string }
  await store([{ company, kind, reference, submission: reference }], false)
  if (outcome === 'lost') return void request.socket.destroy()
  if (outcome === 'failure after storing') return answer(response, 500, {})
  return answer(response, 200, {
    clearanceStatus: 'CLEARED',
    validationResults: { status: 'PASS' },
  })
}

let submissions = 0

async function take(
  { request, response, company, kind }: Sent,
  words: keyof typeof listWords,
  text: string,
  outcome: string,
) {
  const { sent, answered, submission: name } = listWords[words]
  const { documents } = JSON.parse(text) as { documents: Record<string, string>[] }
  const references = documents.map((each) => each[sent] ?? '')
  // Of a list, one is refused at once.
  const refused = outcome === 'refused' || outcome === 'off' ? references.slice(0, 1) : []
  const taken = references.filter((each) => !refused.includes(each))
  const submission = `${company}-${kind}-${++submissions}`
  const made = await store(
    taken.map((reference) => ({ company, kind, reference, submission })),
    true,
  )
  if (outcome === 'lost') return void request.socket.destroy()
  if (outcome === 'failure after storing') return answer(response, 500, {})
  return answer(response, 202, {
    [name]: taken.length === 0 ? null : submission,
    acceptedDocuments: made.map(({ reference, number }) => ({
      [answered]: reference,
      uuid: number,
    })),
    rejectedDocuments: refused.map((reference) => ({
      [answered]: reference,
      error: { code: 'BadTotal', message: 'The total is wrong.' },
    })),
  })
}

/** Pages of two; by a number it finds older documents whose number begins alike, first. */
function status({ request, response, company, kind }: Sent): void {
  const asked = new URL(request.url ?? '/', 'http://authority').searchParams
  const [submission, number] = [asked.get('submission'), asked.get('number')]
  const outcome = draw()
  if (outcome === 'lost') return void request.socket.destroy()
  if (outcome === 'unavailable') return answer(response, 503, {})
  const own = stored.filter(
    (each) =>
      each.company === company &&
      each.kind === kind &&
      (submission === null ? each.reference === number : each.submission === submission),
  )
  if (own.length === 0) return answer(response, 404, { error: 'Not found.' })
  if (kind === 'zatca') return answer(response, 200, { clearanceStatus: 'CLEARED' })
  const older =
    number === null
      ? []
      : [1, 2, 3].map((n) => ({ internalId: `${number}/${n}`, status: 'Invalid' }))
  const all = [
    ...older,
    ...own.map(({ reference, number: uuid, verdict, decidesAt }) => ({
      internalId: reference,
      uuid,
      status: decidesAt > Date.now() ? 'Submitted' : verdict === 'accepted' ? 'Valid' : 'Invalid',
      documentStatusReason: verdict === 'accepted' ? '' : 'The total is wrong.',
    })),
  ]
  const page = Number(asked.get('pageNo') ?? 1)
  const documentSummary = all.slice((page - 1) * pageLength, page * pageLength)
  return answer(response, 200, { documentSummary, documentCount: all.length })
}

function token(request: IncomingMessage, response: ServerResponse, company: Company): void {
  const second = Math.floor(Date.now() / 1_000) + 9 * companies.indexOf(company)
  if (second % 30 < 4) {
    if (second % 2 === 0) return answer(response, 503, 'Away', { 'content-type': 'text/html' })
    return second % 3 === 0 ? void request.socket.destroy() : answer(response, 429, {})
  }
  const access_token = `t-${company}-${tokens.size}`
  tokens.set(access_token, Date.now() + 25_000)
  answer(response, 200, { access_token, token_type: 'Bearer', expires_in: 20 })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function answer(response: ServerResponse, code: number, body: unknown, headers = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

const server = createServer((request, response) => {
  const [, company = '', kind = '', place = ''] = (request.url ?? '').split(/[/?]/)
  const sent = { request, response, company: company as Company, kind: kind as Kind }
  if (kind === 'token') return token(request, response, sent.company)
  const [, bearer = ''] = (request.headers.authorization ?? '').split(' ')
  if ((tokens.get(bearer) ?? 0) < Date.now()) return answer(response, 401, { error: 'expired' })
  if (place === 'status') return status(sent)
  submit(sent).catch(() => request.socket.destroy())
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
