import { CommandError } from './command.ts'

interface Refusal {
  message?: string
  errors?: Record<string, string[]>
}

/** Waits this long for an answer: an apply is many changes. */
const answerMs = 15 * 60_000

/** Calls of the admin API of a running server. Each throws a CommandError with the server's own words. */
export class ConfigClient {
  readonly #url: string
  #token: string

  constructor(url: string, token: string) {
    this.#url = url.replace(/\/+$/, '')
    this.#token = token
  }

  async signIn(email: string, password: string): Promise<void> {
    const text = await this.call('POST', '/api/login', { email, password })
    this.#token = (JSON.parse(text) as { token: string }).token
  }

  async signOut(): Promise<void> {
    await this.call('POST', '/api/logout')
  }

  async call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<string> {
    const url = `${this.#url}${path}`
    const headers = {
      ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const request = {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The token goes to the server that was named, and nowhere else.
      redirect: 'error' as const,
      signal: AbortSignal.timeout(answerMs),
    }
    const answer = await fetch(url, request).catch((cause: unknown) => {
      throw new CommandError(`${this.#url} could not be reached: ${reasonOf(cause)}`)
    })
    const text = await answer.text()
    if (answer.ok) return text
    throw new CommandError(refusalIn(text) ?? `${url} was answered with ${answer.status}.`)
  }
}

const reasonOf = (error: unknown) => {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

function refusalIn(text: string): string | undefined {
  try {
    const { message, errors = {} } = JSON.parse(text) as Refusal
    const messages = Object.values(errors).flat()
    return messages.length > 0 ? messages.join('\n') : message
  } catch {
    return undefined
  }
}
