import { runServerProcess } from './run-server-process.ts'

const password = 'correct horse battery'

/** A server on a data folder, with its first administrator signed in. */
export async function serve(folder: string, environment: Record<string, string>) {
  const server = await runServerProcess({
    dataDir: folder,
    environment: { ...environment, ADMIN_PASSWORD: password },
  })
  let token = ''
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as { id: number; token?: string } }
  }
  const { body } = await send('POST', '/api/login', { email: 'admin@example.com', password })
  token = body.token ?? ''
  const stop = async () => {
    server.child.kill('SIGTERM')
    await server.exited
  }
  const kill = async () => {
    server.child.kill('SIGKILL')
    await server.exited
  }
  return { send, stop, kill }
}
