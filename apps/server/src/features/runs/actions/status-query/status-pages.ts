import { setBodyTree } from '@gatehouse/contract/answer-tree'
import type { DocumentListSettings } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { textAt } from '@gatehouse/contract/answer-rule'
import {
  isExactObject,
  objectFrom,
  parsePath,
  stringifyExact,
  type ExactJson,
  type PathSegment,
} from '@gatehouse/contract/mapping'
import type { Exchanged, HttpAnswer } from '@gatehouse/upstream'
import { referenceOf } from '../../steps/documents/judge-documents.ts'
import { listAt } from '../../answers/list-at.ts'
import { readBody } from '../../answers/read-body.ts'

type PollSettings = NonNullable<DocumentListSettings['poll']>

/** Pages of one question, the first included. */
const pagesMax = 100
/** Elements of all pages together: a path reads no more. */
const elementsMax = 10_000

interface Paging {
  poll: PollSettings
  /** Of the documents that are asked for. */
  references: readonly string[]
  /** The address of the first page. */
  url: string
  /** Fetches another page. */
  fetch: (url: string) => Promise<Exchanged>
}

/**
 * The first page with the elements of the pages behind it in its list, until every document is found, no page
 * follows, one is empty or not a success, or there are 100 pages or 10,000 elements. An answer that is no list stays as it is.
 */
export async function withFurtherPages(first: Exchanged, paging: Paging): Promise<Exchanged> {
  const { poll, references, fetch } = paging
  const segments = parsePath(poll.list_path, 'read')
  if (!segments.ok || segments.segments.some(({ kind }) => kind === 'all')) return first
  const missing = new Set(references.map(referenceKey))
  const seen = new Set([paging.url])
  const further: Exchanged[] = []
  let { answer } = first
  let elements = 0
  let body = bodyOf(answer)
  for (let number = 1; number < pagesMax; number++) {
    const list = listAt(body, poll.list_path)
    if (!list || list.length === 0) break
    elements += list.length
    if (elements > elementsMax) break
    for (const element of list)
      missing.delete(referenceKey(referenceOf(element, poll.reference_path) ?? ''))
    const url = missing.size === 0 ? undefined : nextOf({ answer, body, number }, paging)
    if (url === undefined || seen.has(url)) break
    seen.add(url)
    const page = await fetch(url)
    further.push(page)
    answer = page.answer
    body = bodyOf(answer)
  }
  return further.length === 0
    ? first
    : {
        answer: joined(
          first.answer,
          further.map(({ answer }) => answer),
          poll,
        ),
        shown: joined(
          first.shown,
          further.map(({ shown }) => shown),
          poll,
        ),
      }
}

/** Undefined where it is not a success, or can't be read. */
const bodyOf = (answer: HttpAnswer): ExactJson | undefined =>
  answer.ok && answer.status < 300 ? readBody(answer.body) : undefined

interface Page {
  answer: HttpAnswer
  body: ExactJson | undefined
  number: number
}

/** The address of the next page on the same server; undefined where there is none. */
function nextOf({ answer, body, number }: Page, { poll, url }: Paging): string | undefined {
  if (!answer.ok) return undefined
  const named = textAt(body, poll.next_path ?? '')
  const parameter = poll.page_parameter ?? ''
  if (parameter !== '') {
    // A cursor where the answer names one, else the number of the page.
    if ((poll.next_path ?? '') !== '' && named === undefined) return undefined
    const next = new URL(url)
    next.searchParams.set(parameter, named ?? String(number + 1))
    return next.href
  }
  const target = named ?? linkedNext(answer.headers['link'] ?? '')
  const next = target === undefined ? null : URL.parse(target, url)
  // Never to another server: the credential goes along.
  return next && next.origin === new URL(url).origin ? next.href : undefined
}

/** RFC 8288: `<address>; rel="next"`. */
function linkedNext(header: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(/<([^>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*"?(?:[^",;]*\s)?next(?:\s[^",;]*)?"?/i.test(parameters)) return target
  return undefined
}

function joined(
  first: HttpAnswer,
  further: readonly HttpAnswer[],
  { list_path }: PollSettings,
): HttpAnswer {
  const body = bodyOf(first)
  if (!first.ok || body === undefined) return first
  const parsed = parsePath(list_path, 'read')
  const list = listAt(body, list_path)
  if (!parsed.ok || !list) return first
  const all = [list, ...further.map((page) => listAt(bodyOf(page), list_path) ?? [])].flat()
  const tree = withValue(body, parsed.segments, all)
  const joint = Buffer.from(stringifyExact(tree))
  setBodyTree(joint, tree)
  return { ...first, body: joint }
}

/** A copy of a tree with another value at a path that leads somewhere. */
function withValue(
  tree: ExactJson,
  [segment, ...inside]: readonly PathSegment[],
  value: ExactJson,
): ExactJson {
  if (!segment) return value
  if (Array.isArray(tree) && segment.kind === 'index') {
    const at = segment.index < 0 ? tree.length + segment.index : segment.index
    return tree.map((each, index) => (index === at ? withValue(each, inside, value) : each))
  }
  if (!isExactObject(tree) || segment.kind !== 'name') return tree
  return objectFrom(
    Object.entries(tree).map(([name, each]) => [
      name,
      name === segment.name ? withValue(each, inside, value) : each,
    ]),
  )
}
