import type { HttpUpstream } from '@gatehouse/upstream'
import { can, type Caller } from '../../kernel/caller.ts'
import { askAddress } from './ask-address.ts'
import type { ImportedDocument } from './imported-document.ts'
import { readInThread } from './read-in-thread.ts'
import { noteOf } from './read-request.ts'

/** Reads what was pasted, and asks the address that it may name. Throws a 422 under `document`. */
export async function readPasted(
  upstream: HttpUpstream,
  text: string,
  caller: Caller,
  signal: AbortSignal,
) {
  const document = await readInThread(text)
  const { call, operations } = document
  const notAsked = { document, answer: null, fetched: null }
  if (!call || operations[0]?.method !== 'get') return notAsked
  // With both, the caller could register the address and call it.
  if (!can(caller, 'api.create') || !can(caller, 'request.send')) {
    document.notes.push(noteOf(mayNotAsk))
    return notAsked
  }
  const { shown: answer, text: found } = await askAddress(upstream, call, signal)
  const fetched = document.format === 'address' && looksLikeDocument(found) ? found : null
  if (fetched === null) return { document, answer, fetched }
  return { document: placedAt(call.url, await readInThread(fetched)), answer: null, fetched }
}

const mayNotAsk =
  'It was not asked what it answers: that needs the permissions api.create and request.send.'

/** A document with mistakes is refused with their places; anything else is what the endpoint answers. */
const looksLikeDocument = (text: string | undefined): text is string =>
  text !== undefined &&
  /(?:^|[\s{,])["']?(?:openapi|swagger|_postman_id)["']?\s*:/.test(text.slice(0, 20_000))

/** Servers without a host are those of the address. */
const placedAt = (address: string, document: ImportedDocument): ImportedDocument => ({
  ...document,
  servers: document.servers.map((server) =>
    server.url === '' ? { ...server, url: hostedAt(address, server.key) } : server,
  ),
})

function hostedAt(address: string, key: string): string {
  const url = URL.parse(key, address)
  if (!url || !/^https?:$/.test(url.protocol)) return ''
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
