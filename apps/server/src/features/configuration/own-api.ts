import { AppError } from '../../kernel/app-error.ts'
import type { OwnAnswer, OwnCall, SendOwn } from '../../kernel/http/own-calls.ts'

/** Of a list; a page is one turn of the server's thread, and others have theirs between two pages. */
const pageSize = 100

/**
 * Calls of the admin API, as the caller: permissions, checks, audit events and the publishing of each call
 * are those of the screens. The server's thread makes them, and this one reads and writes their texts.
 */
export class OwnApi {
  readonly #send: SendOwn

  constructor(send: SendOwn) {
    this.#send = send
  }

  send(method: OwnCall['method'], url: string, body?: string): Promise<OwnAnswer> {
    return this.#send({ method, url, body })
  }

  /** The text of an answer. Throws `Forbidden` for a 403, and what the call threw for anything else. */
  async text(url: string): Promise<string> {
    const { status, text } = await this.send('GET', url)
    if (status === 403) throw new Forbidden()
    if (status === 401) throw new AppError('session.unauthenticated')
    if (status !== 200) throw new Error(`GET ${url} was answered with ${status}: ${text}`)
    return text
  }

  async get<T>(url: string): Promise<T> {
    return JSON.parse(await this.text(url)) as T
  }

  /** Every row of a list. */
  async list<T>(url: string): Promise<T[]> {
    const rows: T[] = []
    for (let page = 1; ; page++) {
      const query = `${url.includes('?') ? '&' : '?'}sort=id&limit=${pageSize}&page=${page}`
      const [{ data }] = await this.get<[{ data: T[] }]>(url + query)
      rows.push(...data)
      if (data.length < pageSize) return rows
    }
  }
}

/** The caller may not see this. */
export class Forbidden extends Error {
  override name = 'Forbidden'
}
