import { createHash, randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { againStatuses } from '../hostile-workflows/machine-caller.ts'
import {
  companies,
  documentsTogether,
  keyOf,
  kinds,
  listWords,
  type Company,
  type Kind,
} from './kinds.ts'
import { slugOf } from './register-companies.ts'
import type { Fleet } from './fleet.ts'

/** What an ERP hands in with one call. */
export interface HandedIn {
  company: Company
  kind: Kind
  no: string
  /** The numbers of the documents in it. */
  references: string[]
  input: object
  /** The product has promised to carry it out. */
  isTaken: boolean
}

/** The same numbers for every company and kind; `documents` in all, at least. */
export function handInsOf(documents: number): HandedIn[] {
  const places = companies.flatMap((company) => kinds.map((kind) => ({ company, kind })))
  const each = Math.ceil(documents / places.length)
  return places
    .flatMap(({ company, kind }) => {
      const together = kind === 'myinvois' ? documentsTogether : 1
      return Array.from({ length: Math.ceil(each / together) }, (_, at) =>
        handIn(company, kind, at, together),
      )
    })
    .toSorted((one, other) => one.no.localeCompare(other.no))
}

function handIn(company: Company, kind: Kind, at: number, together: number): HandedIn {
  const numberOf = (n: number) => `INV-${String(n).padStart(6, '0')}`
  const references = Array.from({ length: together }, (_, n) => numberOf(at * together + n))
  const no = references[0]!
  const documents =
    kind === 'myinvois'
      ? {
          documents: references.map((each) => ({ [listWords.myinvois.sent]: each, total: '1.10' })),
        }
      : {}
  const input = { no, total: `${at}.10`, customer: `c${at % 7}`, ...documents }
  return { company, kind, no, references, input, isTaken: false }
}

/** A repetition of a call is the same call, also after a restore. */
const uuidOf = ({ company, kind, no }: HandedIn) => {
  const hex = createHash('sha256').update(`${company} ${kind} ${no}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Hands in until the product has promised to carry it out. */
async function handInOne(fleet: Fleet, one: HandedIn): Promise<void> {
  const path = `/api/workflows/${slugOf(one.company, one.kind)}/runs`
  for (let tries = 0; tries < 2_000; tries++) {
    const answer = await fleet.call('POST', path, one.input, { 'idempotency-key': uuidOf(one) })
    if (answer?.status === 202) {
      one.isTaken = true
      return
    }
    if (answer && !againStatuses.has(answer.status) && answer.status < 500)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    await delay(100)
  }
  throw new Error(`${path}: not taken`)
}

/** Hands in one after the other from several hands, with pauses. */
export async function handInAll(
  fleet: Fleet,
  all: readonly HandedIn[],
  pauseMs: number,
): Promise<void> {
  const queue = [...all]
  const hand = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      await handInOne(fleet, one)
      await delay(randomInt(Math.ceil(2 * pauseMs) + 1))
    }
  }
  await Promise.all(Array.from({ length: 6 }, hand))
}

/** After a restore: what the product knows no more is handed in once more, with its key. Returns how many. */
export async function handInMissing(fleet: Fleet, all: readonly HandedIn[]): Promise<number> {
  const known = await knownDocuments(fleet)
  const missing: HandedIn[] = []
  for (const one of all) {
    const isKnown = one.references.some((reference) => known.has(keyOf({ ...one, reference })))
    if (!one.isTaken || isKnown || (await hasRun(fleet, one))) continue
    missing.push(one)
  }
  await handInAll(fleet, missing, 0)
  return missing.length
}

async function hasRun(fleet: Fleet, { company, kind, no }: HandedIn): Promise<boolean> {
  const path = `/api/workflows/${slugOf(company, kind)}/runs?reference=${no}`
  const { body } = await fleet.mustCall('GET', path)
  return (body as { runs: unknown[] }).runs.length > 0
}

async function knownDocuments(fleet: Fleet): Promise<Set<string>> {
  const documents = await shownDocuments(fleet)
  return new Set([...documents].flatMap(([key, { state }]) => (state === 'open' ? [] : [key])))
}

export interface ShownDocument {
  state: string
  authority_reference: string | null
}

/** What the product shows of every document, by company, kind and number. A list ends after 10,000: each register has its own. */
export async function shownDocuments(fleet: Fleet): Promise<Map<string, ShownDocument>> {
  const shown = new Map<string, ShownDocument>()
  for (const company of companies)
    for (const kind of kinds)
      for (let page = 1, isLeft = true; isLeft; page++) {
        const filter = `register=${slugOf(company, kind)}&sort=id&limit=100&page=${page}`
        const answer = await fleet.mustCall('GET', `/api/documents?${filter}`)
        const [{ data }] = answer.body as [{ data: (ShownDocument & { reference: string })[] }]
        for (const { reference, ...document } of data)
          shown.set(keyOf({ company, kind, reference }), document)
        isLeft = data.length === 100
      }
  return shown
}
