/**
 * The `./token-authority` entry: an authority for tests and proofs, as a process of its own. It shares no
 * code with what is tested against it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AuthorityCounts, AuthoritySettings } from './authority-state.ts'

export { firstRefreshToken } from './authority-state.ts'
export type { AuthorityCounts, AuthorityMode, AuthoritySettings } from './authority-state.ts'

export interface TokenAuthority {
  tokenUrl: string
  loginUrl: string
  /** Wants a token that lives. */
  apiUrl: string
  change(settings: Partial<AuthoritySettings>): Promise<void>
  counts(): Promise<AuthorityCounts>
  /** As it was at its start, with these settings. */
  reset(settings?: Partial<AuthoritySettings>): Promise<void>
  /** Ends every token that was given. */
  revokeAll(): Promise<void>
  stop(): Promise<void>
}

export async function runTokenAuthority(
  settings: Partial<AuthoritySettings> = {},
): Promise<TokenAuthority> {
  const file = fileURLToPath(new URL('authority-process.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  const origin = `http://127.0.0.1:${port}`
  const control = async (method: string, body?: object): Promise<AuthorityCounts> => {
    const answer = await fetch(`${origin}/control`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await answer.json()) as AuthorityCounts
  }
  await control('POST', settings)
  return {
    tokenUrl: `${origin}/token`,
    loginUrl: `${origin}/login`,
    apiUrl: `${origin}/api`,
    change: async (next) => void (await control('POST', next)),
    counts: () => control('GET'),
    reset: async (next = settings) => {
      await control('PUT')
      await control('POST', next)
    },
    revokeAll: async () => void (await control('DELETE')),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
