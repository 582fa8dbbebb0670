import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { controlPlaneOf, signalAll } from './product-processes.ts'

/** Compiled modules, as `npm start` keeps them. They save each start a third of its CPU time. */
export const compileCache = fileURLToPath(new URL('../../.stamps/compile-cache', import.meta.url))

/** With `GATEHOUSE_BUILT`, the folder that `npm run build` made, all journeys run on that. */
const main = process.env.GATEHOUSE_BUILT
  ? join(process.env.GATEHOUSE_BUILT, 'server.mjs')
  : fileURLToPath(new URL('../../apps/standalone/src/main.ts', import.meta.url))

export const adminPassword = 'correct horse battery'

export interface Product {
  url: string
  /** Blank where it runs no gateway. */
  gatewayUrl: string
  /** Everything printed until it was ready. */
  output: string
  /** The parent of all others. */
  process: ChildProcess
  /** Of the process that serves the dashboard. It may be another one later. */
  controlPid(): number
  /** Kills all of its processes at once. */
  kill(): void
  /** Sends the signal, SIGKILL to all processes, and waits for the end; the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/** Starts the product as its own process and waits until it says that it is ready. */
export const runProduct = (
  environment: Record<string, string>,
  { command = [] }: Pick<ProgramOptions, 'command'> = {},
): Promise<Product> =>
  runProgram(main, {
    command,
    env: {
      ...(process.env.PATH === undefined ? {} : { PATH: process.env.PATH }),
      NODE_COMPILE_CACHE: compileCache,
      ...environment,
    },
  })

interface ProgramOptions {
  env: Record<string, string>
  cwd?: string
  /** What runs it, before Node: it has to become the program, so that signals reach that. */
  command?: readonly string[]
  /** The account that it runs as; only root can choose. */
  uid?: number
  gid?: number
}

/** Starts the product from a file of its own, with nothing in its environment that is not given. */
export async function runProgram(
  file: string,
  { env, command = [], ...options }: ProgramOptions,
): Promise<Product> {
  const [first, ...args] = [...command, process.execPath, file]
  const child = spawn(first, args, {
    ...options,
    env: { PORT: '0', GATEWAY_PORT: '0', ADMIN_PASSWORD: adminPassword, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Not `exit`: the workers write to the same streams, and outlive a kill for a moment.
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`
    const [, url, gatewayUrl = ''] =
      /ready at (\S+), (?:its gateway at (\S+)|without a gateway)/.exec(line) ?? []
    if (!url) continue
    child.stdout.resume()
    return {
      url,
      gatewayUrl,
      output,
      process: child,
      controlPid: () => controlPlaneOf(child.pid ?? 0),
      kill: () => killAll(child),
      end: async (signal) => {
        if (signal === 'SIGKILL') killAll(child)
        else child.kill(signal)
        const [code, endedBy] = await ended
        return code ?? endedBy ?? 0
      },
    }
  }
  const [code] = await ended
  throw new Error(`It ended with ${code} before it was ready:\n${output}`)
}

function killAll(child: ChildProcess): void {
  if (child.pid !== undefined) signalAll(child.pid, 'SIGKILL')
  child.kill('SIGKILL')
}

export interface Answer {
  status: number
  body: unknown
}

/** Makes a call as the administrator. Rejects where no answer came. */
export type Call = Awaited<ReturnType<typeof signIn>>

/** Signs the administrator in; the token of the session. */
export async function openSession(url: string): Promise<string> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: adminPassword }),
  })
  const { token } = (await login.json()) as { token: string }
  return token
}

/** Signs the administrator in and returns a function that makes calls as them. */
export async function signIn(url: string, timeoutMs = 60_000) {
  const token = await openSession(url)
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      // A call that hangs fails here, so that its caller goes on.
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as unknown }
  }
}
