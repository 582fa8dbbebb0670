import http from 'node:http'
import { adminPassword } from '../../e2e/harness/run-product.ts'

export type TimedClient = Awaited<ReturnType<typeof openTimedClient>>

interface TimedAnswer {
  ms: number
  text: string
}

/** Signs in and makes calls over connections that stay open: cheap enough to time others by. */
export async function openTimedClient(url: string, connections: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const { port } = new URL(url)

  function send(method: string, path: string, body?: unknown, token = ''): Promise<TimedAnswer> {
    const began = performance.now()
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(payload
        ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
        : {}),
    }
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, method, path, agent, headers }
      const request = http.request(options, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve({ ms: performance.now() - began, text })
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`))
        })
      })
      request.on('error', reject)
      request.end(payload)
    })
  }

  const login = await send('POST', '/api/login', {
    email: 'admin@example.com',
    password: adminPassword,
  })
  const { token } = JSON.parse(login.text) as { token: string }
  return {
    get: (path: string) => send('GET', path, undefined, token),
    post: (path: string, body: unknown) => send('POST', path, body, token),
    close: () => agent.destroy(),
  }
}
