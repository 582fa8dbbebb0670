import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AuthorityAnswer } from './read-page.ts'
import { signInOf, type ApiSignIn, type Received, type SignIn } from './sign-in-check.ts'

/** An authority that wants its sign-in and answers as a page says. */
export interface ScriptedAuthority {
  url: string
  /** Requests that were signed in, since `expect`. */
  received: Received[]
  /** What it answers next: each submit takes one; the last answer of a question stays. */
  expect(answers: readonly AuthorityAnswer[]): void
  /** Adds answers: what it decides later. */
  decide(answers: readonly AuthorityAnswer[]): void
  /** The sign-in of this API counts from now on. */
  guard(api: ApiSignIn): void
  stop(): Promise<void>
}

export async function runScriptedAuthority(): Promise<ScriptedAuthority> {
  const received: Received[] = []
  let submits: AuthorityAnswer[] = []
  let polls: AuthorityAnswer[] = []
  let signIn: SignIn | undefined

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    const got = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') }
    const token = signIn?.login(got)
    if (token) return send(response, { status: 200, headers: {}, body: token })
    if (!signIn?.accepts(got)) return send(response, { status: 401, headers: {}, body: '{}' })
    received.push(got)
    const isQuestion = method === 'GET'
    const next =
      isQuestion && polls.length === 1 ? polls[0] : (isQuestion ? polls : submits).shift()
    return send(response, next ?? { status: 500, headers: {}, body: '{}' })
  }

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    handle(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const decide = (answers: readonly AuthorityAnswer[]) => {
    submits.push(...answers.filter(({ isPoll }) => !isPoll))
    const decided = answers.filter(({ isPoll }) => isPoll)
    if (decided.length > 0) polls = decided
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    expect: (answers) => {
      received.length = 0
      submits = []
      polls = []
      decide(answers)
    },
    decide,
    guard: (api) => {
      signIn = signInOf(api)
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(
  response: ServerResponse,
  { status, headers, body }: Omit<AuthorityAnswer, 'isPoll'>,
) {
  const type = body.startsWith('<') ? 'application/xml' : 'application/json'
  response.writeHead(status, { ...(body === '' ? {} : { 'content-type': type }), ...headers })
  response.end(body)
}
