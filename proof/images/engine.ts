import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program; what it prints. Rejects with the end of what it printed where it fails. */
export async function run(program: string, parameters: readonly string[], env = {}) {
  try {
    const { stdout } = await execute(program, parameters, {
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout.trim()
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const said = `${stdout}\n${stderr}`.trim().slice(-2_000)
    throw new Error(`${program} ${parameters.join(' ')}: ${said}`, { cause: error })
  }
}

export const podman = (...parameters: string[]) => run('podman', parameters)

/**
 * Podman's service for docker-compose, and what systemd does for the health checks of containers where there is no
 * systemd.
 */
export function startEngine(socket: string) {
  const stopping = new AbortController()
  const { signal } = stopping
  const service = execFile('podman', ['system', 'service', '--time=0', `unix://${socket}`])
  const checking = checkHealth(signal)
  return {
    env: { DOCKER_HOST: `unix://${socket}` },
    isListening: () => existsSync(socket),
    stop: async () => {
      stopping.abort()
      service.kill()
      await checking
    },
  }
}

async function checkHealth(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const names = (await podman('ps', '--format', '{{.Names}}').catch(() => '')).split('\n')
    // A container without a check, or one that is not healthy, fails.
    for (const name of names) await podman('healthcheck', 'run', name).catch(() => undefined)
    await sleep(500)
  }
}
